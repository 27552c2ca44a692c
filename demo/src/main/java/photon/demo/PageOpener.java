package photon.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Shows a page with what the desktop opens such files with, where there is a desktop. */
final class PageOpener {
    private PageOpener() {}

    /** Prints where the page is, and opens it if it can be. */
    static void open(Path page) {
        Optional<List<String>> command =
                command(
                        System.getProperty("os.name", ""),
                        System.getenv(),
                        PageOpener::isOnPath,
                        page);
        if (command.isPresent()) {
            try {
                new ProcessBuilder(command.get())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                System.err.println("The run as a page, opened: " + page);
                return;
            } catch (IOException e) {
                System.err.println("photon: the page cannot be opened here: " + e.getMessage());
            }
        }
        System.err.println("The run as a page, for a browser: " + page);
    }

    /**
     * The command that opens the page.
     *
     * @param isThere whether a program can be found by its name
     * @return empty: there is no desktop, or it has no such program
     */
    static Optional<List<String>> command(
            String system, Map<String, String> environment, Predicate<String> isThere, Path page) {
        String program;
        if (system.toLowerCase(Locale.ROOT).startsWith("mac")) {
            program = "open";
        } else if (isSet(environment, "DISPLAY") || isSet(environment, "WAYLAND_DISPLAY")) {
            program = "xdg-open";
        } else {
            return Optional.empty();
        }
        return isThere.test(program)
                ? Optional.of(List.of(program, page.toString()))
                : Optional.empty();
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isEmpty();
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        for (String directory : path.split(File.pathSeparator, -1)) {
            if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, program))) {
                return true;
            }
        }
        return false;
    }
}
