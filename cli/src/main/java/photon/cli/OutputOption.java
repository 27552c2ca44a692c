package photon.cli;

import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.error.FailedException;
import photon.core.text.PlainText;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The option of every verb that prints a result: a table for people, or a JSON document. */
public final class OutputOption {
    @ArgGroup private Chosen chosen = new Chosen();

    /** The long way to say it, or the short one. */
    static final class Chosen {
        @Option(
                names = "-o",
                paramLabel = "FORMAT",
                description =
                        "Output format, one of: ${COMPLETION-CANDIDATES}; default table. json prints one JSON document, and nothing else, on stdout.")
        private @Nullable Format format;

        @Option(names = "--json", description = "Same as -o json.")
        private boolean json;
    }

    /** The values, as the help lists them. */
    enum Format {
        TABLE,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the result is for programs. */
    public boolean isJson() {
        return chosen.json || chosen.format == Format.JSON;
    }

    /** Prints the table or the document, each of which ends with a line feed. */
    public void print(Supplier<String> table, Supplier<String> json) {
        System.out.print(isJson() ? json.get() : PlainText.lines(table.get()));
        flush();
    }

    /**
     * To be called when all of a result was printed.
     *
     * @throws FailedException if not all of it could be written
     */
    static void flush() {
        if (System.out.checkError()) {
            throw new FailedException(
                    "cannot write the result to stdout: it is incomplete or empty");
        }
    }

    /**
     * Prints a line for people, such as what is about to be done: on stdout, or on stderr if a
     * document is all that stdout may hold.
     */
    void say(String line) {
        (isJson() ? System.err : System.out).println(PlainText.lines(line));
    }
}
