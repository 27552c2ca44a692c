package photon.storage.files;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/**
 * Starts {@link HdfsContainers} for the first test class that needs them, and removes them when all
 * tests have ended. Where they cannot run, it skips the tests and says why.
 */
public final class OnContainers implements ExecutionCondition, BeforeAllCallback {
    private static boolean said;

    /** One class of tests waits for what does not come, not each. */
    private static boolean failed;

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String missing = missing();
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("a container engine answers");
        }
        say("not run: the tests of HDFS in containers, since " + missing);
        return ConditionEvaluationResult.disabled(missing);
    }

    private static String missing() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return "the image is made of this machine's Java runtime and C libraries, which must be those of Linux";
        }
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return "no container engine answers: start Docker, or set DOCKER_HOST to the socket of an engine on this machine";
        }
        return "";
    }

    /** Once: Maven prints no reasons of its own. */
    private static synchronized void say(String text) {
        if (!said) {
            System.err.println(text);
            said = true;
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(HdfsContainers.class, key -> started());
    }

    private static synchronized HdfsContainers started() {
        if (failed) {
            throw new IllegalStateException(
                    "HDFS in containers did not start: the first test class says why");
        }
        failed = true;
        try {
            HdfsContainers servers = HdfsContainers.start();
            failed = false;
            return servers;
        } catch (Exception e) {
            throw new IllegalStateException("HDFS in containers did not start", e);
        }
    }
}
