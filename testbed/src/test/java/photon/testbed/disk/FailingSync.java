package photon.testbed.disk;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.none;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;

/**
 * A Java agent with which {@code FileChannel.force} of files of a Raft log fails, as it does when
 * the disk could not write what the system had taken, from the moment on at which a file appears.
 * An agent needs nothing but the JDK and a library that the tests have anyway; a preloaded library
 * would need a C compiler.
 */
public final class FailingSync {
    private static final String PROPERTY = "photon.test.syncFailsIf";

    private FailingSync() {}

    /**
     * The arguments of a Java VM whose syncs fail.
     *
     * @param directory where the agent's jar may be written
     * @param switchFile they fail once it exists
     */
    static List<String> javaArguments(Path directory, Path switchFile) throws IOException {
        Path jar = directory.resolve("failing-sync.jar");
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", FailingSync.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream made = new JarOutputStream(out, manifest)) {
            // The class itself comes from the class path.
            made.finish();
        }
        return List.of("-javaagent:" + jar, "-D" + PROPERTY + "=" + switchFile);
    }

    public static void premain(String arguments, Instrumentation instrumentation) {
        new AgentBuilder.Default()
                .disableClassFormatChanges()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .ignore(none())
                .type(named("sun.nio.ch.FileChannelImpl"))
                .transform(
                        (builder, type, loader, module, domain) ->
                                builder.visit(Advice.to(Force.class).on(named("force"))))
                .installOn(instrumentation);
    }

    /** Copied into {@code FileChannelImpl.force}: may use nothing but the JDK. */
    static final class Force {
        private Force() {}

        @Advice.OnMethodEnter
        static void enter(@Advice.FieldValue("path") String path) throws IOException {
            if (path != null
                    && path.contains("log_inprogress")
                    && new File(System.getProperty("photon.test.syncFailsIf", "/")).isFile()) {
                throw new IOException("Input/output error");
            }
        }
    }
}
