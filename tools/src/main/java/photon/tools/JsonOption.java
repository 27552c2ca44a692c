package photon.tools;

import picocli.CommandLine.Option;

/** The option of every tool whose result is for people or for programs. */
final class JsonOption {
    @Option(
            names = "--json",
            description = "Print the result as one JSON object, and nothing else, on stdout.")
    private boolean json;

    boolean isSet() {
        return json;
    }
}
