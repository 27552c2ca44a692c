package photon.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code ./photon} is for a reader or a script, with the classes that are under test. */
public final class TestLauncher {
    private TestLauncher() {}

    /** Writes the script; its processes are small and live for a short time. */
    public static void write(Path file) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LocalProcess.SMALL);
        command.addAll(ClassArchive.options());
        command.add("-Dlogback.configurationFile=logback.xml");
        command.add("-Dphoton.home=" + Repository.root());
        command.addAll(List.of("-cp", ClassArchive.classPath(), "photon.cli.Photon"));
        Files.writeString(
                file, "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(String.join("' '", command)));
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("Expected " + file + " to become executable");
        }
    }
}
