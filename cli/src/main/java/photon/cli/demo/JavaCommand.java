package photon.cli.demo;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts {@code photon} in a Java VM of its own: the one of this process, with the same classes and
 * the same class archive, but small and quick to start, since a dozen share a laptop.
 */
public final class JavaCommand {
    private static final List<String> SMALL =
            List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xshare:auto",
                    // A class archive that does not fit is no news: the start is slower.
                    "-Xlog:cds=off",
                    "-Xlog:cds+dynamic=off",
                    // A file outside of any directory of ours, which stays behind a kill.
                    "-XX:-UsePerfData",
                    "-Xss512k",
                    "-XX:MaxDirectMemorySize=128m",
                    "-XX:+ExitOnOutOfMemoryError");

    private static final String ARCHIVE = "-XX:SharedArchiveFile=";

    private JavaCommand() {}

    /**
     * @param heapMegabytes the most that its heap may have
     * @param temporary where native libraries are unpacked: who is killed leaves them there
     * @param arguments what follows {@code photon}
     */
    public static List<String> of(int heapMegabytes, Path temporary, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL);
        command.add("-Xmx" + heapMegabytes + "m");
        command.add("-Djava.io.tmpdir=" + temporary);
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith(ARCHIVE))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "photon.cli.Photon"));
        command.addAll(arguments);
        return command;
    }
}
