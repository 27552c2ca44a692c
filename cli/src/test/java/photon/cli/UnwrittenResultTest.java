package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnwrittenResultTest {
    /** As {@code /dev/full} does. */
    private static final class Full extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    /** Scripts go on with what they find in the file. */
    @ParameterizedTest
    @ValueSource(strings = {"version", "version -o json", "config schema", "completion bash"})
    void aResultThatCannotBeWrittenIsAFailure(String command) {
        Captured run =
                Captured.of(
                        () -> {
                            System.setOut(
                                    new PrintStream(new Full(), false, StandardCharsets.UTF_8));
                            return Photon.run(command.split(" ", -1));
                        });
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.stderr()).startsWith("photon: cannot write the result to stdout");
    }
}
