package photon.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Option;

/** The option of every verb that asks before it does what cannot be undone. */
final class Confirmation {
    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask for confirmation.")
    private boolean yes;

    /** Whether somebody has said yes with the option. */
    boolean isYes() {
        return yes;
    }

    /** Whether somebody has said yes with the option, or types the name now. */
    boolean isGiven(String name, String question) throws IOException {
        if (yes) {
            return true;
        }
        // Not on stdout, which belongs to results.
        System.err.print(question);
        System.err.flush();
        String typed =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                        .readLine();
        return name.equals(typed);
    }
}
