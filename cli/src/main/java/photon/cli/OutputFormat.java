package photon.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** The option of every verb that prints a text, or a JSON document instead. */
final class OutputFormat {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "One of: ${COMPLETION-CANDIDATES}; default text.")
    private Format format = Format.TEXT;

    /** The values, as the help lists them. */
    enum Format {
        TEXT,
        JSON
    }

    boolean isJson() {
        return format == Format.JSON;
    }

    /** Prints the text or the document, each of which ends with a line feed. */
    void print(Supplier<String> text, Supplier<String> json) {
        System.out.print(isJson() ? json.get() : text.get());
        System.out.flush();
    }
}
