package photon.simulation.bugs;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs a test of some module with classes that have a bug in them. What the test says of the bug is
 * worth something only if it passes without it, in the same way of loading: {@link #sound}.
 */
final class TestsWithBugs {
    /** A bug may well make a test wait for what never comes. */
    private static final String TIMEOUT = "60 s";

    private final Sources sources = Sources.ofThisCheckout();
    private final InMemoryCompiler compiler = new InMemoryCompiler();
    private final ClassLoader withoutBug = MutatedClasses.soundForTests(sources);
    private final Map<TestName, Result> sound = new ConcurrentHashMap<>();

    /**
     * @param failures one text each
     */
    record Result(long run, List<String> failures) {
        boolean passed() {
            return run > 0 && failures.isEmpty();
        }
    }

    /** One test may stand for several bugs. */
    Result sound(TestName test) {
        return sound.computeIfAbsent(test, name -> run(name, withoutBug));
    }

    /** Up to the first failure: one says all. */
    Result with(PlantedBug bug, TestName test) {
        return run(test, MutatedClasses.forTests(bug, sources, compiler));
    }

    static Result run(TestName test, ClassLoader classes) {
        return run(
                request(test.className(), classes)
                        .filters(
                                (PostDiscoveryFilter)
                                        found ->
                                                FilterResult.includedIf(
                                                        found.getSource()
                                                                .filter(
                                                                        MethodSource.class
                                                                                ::isInstance)
                                                                .map(MethodSource.class::cast)
                                                                .map(MethodSource::getMethodName)
                                                                .filter(test.method()::equals)
                                                                .isPresent()))
                        .build(),
                classes);
    }

    private static LauncherDiscoveryRequestBuilder request(String className, ClassLoader classes) {
        try {
            return LauncherDiscoveryRequestBuilder.request()
                    .enableImplicitConfigurationParameters(false)
                    .configurationParameter("junit.jupiter.execution.timeout.default", TIMEOUT)
                    .configurationParameter(
                            "junit.jupiter.execution.timeout.thread.mode.default",
                            "SEPARATE_THREAD")
                    .selectors(DiscoverySelectors.selectClass(classes.loadClass(className)));
        } catch (ClassNotFoundException e) {
            throw new AssertionError("Expected the test class " + className, e);
        }
    }

    private static Result run(LauncherDiscoveryRequest request, ClassLoader classes) {
        // Of this test run nothing is to know the one inside it.
        Launcher launcher =
                LauncherFactory.create(
                        LauncherConfig.builder()
                                .enableTestEngineAutoRegistration(false)
                                .enableTestExecutionListenerAutoRegistration(false)
                                .enableLauncherSessionListenerAutoRegistration(false)
                                .enableLauncherDiscoveryListenerAutoRegistration(false)
                                .enablePostDiscoveryFilterAutoRegistration(false)
                                .addTestEngines(new JupiterTestEngine())
                                .build());
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        CancellationToken afterTheFirstFailure = CancellationToken.create();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(classes);
        try {
            launcher.execute(
                    LauncherExecutionRequestBuilder.request(request)
                            .listeners(
                                    listener,
                                    new TestExecutionListener() {
                                        @Override
                                        public void executionFinished(
                                                TestIdentifier test, TestExecutionResult result) {
                                            if (result.getStatus() == Status.FAILED) {
                                                afterTheFirstFailure.cancel();
                                            }
                                        }
                                    })
                            .cancellationToken(afterTheFirstFailure)
                            .build());
        } finally {
            thread.setContextClassLoader(before);
        }
        TestExecutionSummary summary = listener.getSummary();
        return new Result(
                summary.getTestsStartedCount(),
                summary.getFailures().stream()
                        .map(f -> f.getTestIdentifier().getDisplayName() + ": " + trace(f))
                        .toList());
    }

    private static String trace(TestExecutionSummary.Failure failure) {
        StringWriter text = new StringWriter();
        failure.getException().printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
