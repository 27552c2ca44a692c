package photon.testbed.process;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts {@code photon} in a Java VM of its own: the one of this process, with the same classes.
 */
public final class JavaCommand {
    private static final List<String> ALWAYS =
            List.of(
                    "-Xshare:auto",
                    // A class archive that does not fit is no news: the start is slower.
                    "-Xlog:cds=off",
                    "-Xlog:cds+dynamic=off",
                    // A file outside of any directory of ours, which stays behind a kill.
                    "-XX:-UsePerfData",
                    "-XX:+ExitOnOutOfMemoryError");

    private static final List<String> SMALL =
            List.of(
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-Xss512k",
                    "-XX:MaxDirectMemorySize=128m");

    private static final String ARCHIVE = "-XX:SharedArchiveFile=";

    private static final Path LARGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    private JavaCommand() {}

    /**
     * Options for a heap in large pages, as the launcher gives a registry; none if Linux has none.
     */
    public static List<String> largePages() {
        try {
            String chosen = Files.readString(LARGE_PAGES);
            return chosen.contains("[always]") || chosen.contains("[madvise]")
                    ? List.of("-XX:+UseTransparentHugePages")
                    : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * Small and quick to start, since a dozen share a laptop, and with the class archive of this
     * process.
     *
     * @param heapMegabytes the most that its heap may have
     * @param temporary where native libraries are unpacked: who is killed leaves them there
     * @param arguments what follows {@code photon}
     */
    public static List<String> of(int heapMegabytes, Path temporary, List<String> arguments) {
        return of(heapMegabytes, temporary, List.of(), arguments);
    }

    /**
     * The same with more options of the Java VM.
     *
     * @param more behind those that all have
     */
    public static List<String> of(
            int heapMegabytes, Path temporary, List<String> more, List<String> arguments) {
        List<String> options = new ArrayList<>(SMALL);
        options.add("-Xmx" + heapMegabytes + "m");
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith(ARCHIVE))
                .forEach(options::add);
        options.addAll(more);
        return with(options, temporary, arguments);
    }

    /**
     * Another program than {@code photon}, as small.
     *
     * @param jars behind the classes of this process
     * @param main its class
     */
    public static List<String> main(
            int heapMegabytes,
            Path temporary,
            List<Path> jars,
            String main,
            List<String> arguments) {
        List<String> options = new ArrayList<>(SMALL);
        options.add("-Xmx" + heapMegabytes + "m");
        StringBuilder classPath = new StringBuilder(System.getProperty("java.class.path"));
        jars.forEach(jar -> classPath.append(File.pathSeparator).append(jar));
        return command(options, temporary, classPath.toString(), main, arguments);
    }

    /**
     * @param options of the Java VM: collector, heap and what else is wanted
     * @param temporary where native libraries are unpacked: who is killed leaves them there
     * @param arguments what follows {@code photon}
     */
    public static List<String> with(List<String> options, Path temporary, List<String> arguments) {
        return command(
                options,
                temporary,
                System.getProperty("java.class.path"),
                "photon.cli.Photon",
                arguments);
    }

    private static List<String> command(
            List<String> options,
            Path temporary,
            String classPath,
            String main,
            List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ALWAYS);
        command.addAll(options);
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(arguments);
        return command;
    }
}
