package photon.cli;

import photon.core.error.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line. Exit status: 0 done, 1 failed, 2 wrong usage or configuration. */
@Command(
        name = "photon",
        description =
                "Joins two event streams exactly once, in several datacenters at the same time.",
        mixinStandardHelpOptions = true,
        versionProvider = Photon.Version.class,
        subcommands = {
            LocalCommand.class,
            RunCommand.class,
            RegistryCommand.class,
            DemoCommand.class,
            BenchCommand.class,
            ChaosCommand.class,
            SimulateCommand.class,
            GenerateCommand.class
        })
public final class Photon implements Runnable {
    /** Something failed, and the message says all that a user can use. */
    public static final class FailedException extends RuntimeException {
        public FailedException(String message) {
            super(message);
        }
    }

    /** Of this build. */
    public static String version() {
        String version = Photon.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"photon " + version()};
        }
    }

    @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /** Called without a subcommand. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(),
                "Expected a command: local, run, registry, demo, bench, chaos, simulate or generate");
    }

    public static void main(String[] args) {
        int status = run(args);
        // Not exit(): everything was closed by its owner, and libraries leave threads behind.
        System.out.flush();
        System.err.flush();
        System.exit(status);
    }

    /** Runs a command as {@link #main} does, but returns its exit status. */
    public static int run(String... args) {
        // Libraries of libraries log here, on their own terms.
        java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.WARNING);
        return new CommandLine(new Photon())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, result) -> explain(failure))
                .execute(args);
    }

    private static int explain(Exception failure) {
        if (failure instanceof ConfigException wrong) {
            wrong.problems().forEach(problem -> System.err.println("photon: " + problem));
            return CommandLine.ExitCode.USAGE;
        }
        if (failure instanceof FailedException failed) {
            System.err.println("photon: " + failed.getMessage());
        } else {
            System.err.println("photon: failed: " + failure);
            failure.printStackTrace();
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
