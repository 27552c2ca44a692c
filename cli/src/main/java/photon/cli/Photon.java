package photon.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.text.PlainText;
import photon.registry.api.RegistryUnavailableException;
import photon.server.log.LogSettings;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line. Exit status: 0 done, 1 failed, 2 wrong usage or configuration. */
@Command(
        name = "photon",
        description =
                "Joins two event streams exactly once, in several datacenters at the same time.",
        exitCodeList = {"0:done", "1:failed", "2:wrong usage or configuration"},
        footer = {"  photon help local", "  photon local --config photon.yaml --until-idle 5s"},
        mixinStandardHelpOptions = true,
        subcommands = {
            LocalCommand.class,
            RunCommand.class,
            InitCommand.class,
            ConfigCommand.class,
            PlanCommand.class,
            AdapterCommand.class,
            RegistryCommand.class,
            UpgradeCommand.class,
            RepairCommand.class,
            DatacenterCommand.class,
            LogsCommand.OfDispatcher.class,
            LogsCommand.OfEventStore.class
        })
public final class Photon {
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return VersionCommand.text().split("\n", -1);
        }
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
        try {
            LogSettings.ofThisProcess();
        } catch (ConfigException e) {
            System.err.println("photon: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        return commandLine()
                .setExecutionExceptionHandler((failure, command, result) -> explain(failure))
                .execute(args);
    }

    /** All verbs, with the tools if they are on the class path. */
    public static CommandLine commandLine() {
        return CommandTree.of(new Photon());
    }

    /**
     * @return the exit status
     */
    static int explain(Exception failure) {
        if (failure instanceof ConfigException wrong) {
            wrong.problems().forEach(Photon::tell);
            return CommandLine.ExitCode.USAGE;
        }
        if (failure instanceof FailedException || failure instanceof RegistryUnavailableException) {
            tell(String.valueOf(failure.getMessage()));
        } else if (failure instanceof IOException io) {
            tell(IoText.of(io));
            log().info("Where it failed", io);
        } else if (failure instanceof UncheckedIOException io) {
            tell("failed: " + IoText.of(io));
            log().info("Where it failed", io);
        } else if (LogSettings.ofThisProcess().json()) {
            log().error("Failed", failure);
        } else {
            tell("failed: " + failure);
            failure.printStackTrace();
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    /** Why it ends: for a person, or as a line of the log where each line is to be JSON. */
    private static void tell(String reason) {
        if (LogSettings.ofThisProcess().json()) {
            log().error("Ends: {}", reason);
        } else {
            System.err.println("photon: " + PlainText.lines(reason));
        }
    }

    /** Not a constant: what the log is must be known to be right before it is opened. */
    private static Logger log() {
        return LoggerFactory.getLogger(Photon.class);
    }
}
