package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.concurrent.Callable;
import photon.server.lifecycle.BuildVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What a report of a fault has to name. */
@Command(
        name = "version",
        mixinStandardHelpOptions = true,
        description =
                "Prints Photon's version, the commit that it was built from, and the Java that it runs on.",
        exitCodeList = {"0:printed", "1:failed", "2:wrong usage"},
        footer = {"  photon version", "  photon version --json"})
final class VersionCommand implements Callable<Integer> {
    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        output.print(() -> text() + "\n", VersionCommand::json);
        return CommandLine.ExitCode.OK;
    }

    static String text() {
        return "photon %s\ncommit %s\nJava %s (%s)"
                .formatted(
                        BuildVersion.text(),
                        BuildVersion.commit(),
                        System.getProperty("java.version"),
                        System.getProperty("java.vm.vendor"));
    }

    private static String json() {
        return new ObjectMapper()
                        .createObjectNode()
                        .put("version", BuildVersion.text())
                        .put("commit", BuildVersion.commit())
                        .put("java", System.getProperty("java.version"))
                        .put("javaVendor", System.getProperty("java.vm.vendor"))
                + "\n";
    }
}
