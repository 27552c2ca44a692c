package photon.core.rpc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.grpc.Metadata;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/errors.md and the codes say the same. */
class RpcErrorTest {
    private static final Pattern SECTION =
            Pattern.compile(
                    "(?m)^### (\\S+)\\n\\n`(\\w+)`\\. Retry: \\*\\*(later|never)\\*\\*\\.$");

    /** Programs compare codes: one may be added, and none taken away. */
    private static final List<String> EVER =
            List.of(
                    "NOT_PERMITTED",
                    "TOO_MANY_CONNECTIONS",
                    "TOO_MANY_CALLS",
                    "TOO_MANY_BYTES_WAITING",
                    "TOO_MANY_CALLS_WAITING",
                    "MALFORMED_REQUEST",
                    "UNKNOWN_METHOD");

    @Test
    void everyCodeHasItsSectionAndEverySectionItsCode() throws Exception {
        List<String> codes = new ArrayList<>();
        for (RpcError error : RpcError.values()) {
            codes.add(
                    "%s %s %s"
                            .formatted(
                                    error.name(),
                                    error.status(),
                                    error.retryHelps() ? "later" : "never"));
        }
        Matcher section = SECTION.matcher(Files.readString(page()));
        List<String> sections = new ArrayList<>();
        while (section.find()) {
            sections.add(section.group(1) + " " + section.group(2) + " " + section.group(3));
        }
        assertThat(sections).containsExactlyElementsOf(codes);
        assertThat(Files.readAllLines(page()).stream().filter(line -> line.startsWith("### ")))
                .as("headings of codes")
                .hasSize(sections.size());
    }

    @Test
    void aCodeStaysAndLeadsToItsSection() {
        assertThat(RpcError.values()).extracting(RpcError::name).containsAll(EVER);
        for (RpcError error : RpcError.values()) {
            assertThat(error.name()).as("as ErrorInfo wants a reason").matches("[A-Z][A-Z_]+[A-Z]");
            assertThat(error.help())
                    .isEqualTo("docs/errors.md#" + error.name().toLowerCase(Locale.ROOT));
        }
    }

    /** What a peer writes there must not end the process that reads it. */
    @Test
    void whatIsNoCodeIsNotPrinted() {
        Metadata.Key<byte[]> details =
                Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);
        assertThat(RpcError.codeOf(new Metadata())).isEmpty();
        for (byte[] other :
                List.of(
                        new byte[] {-1, -1, -1},
                        details("example.org", "NOT_PERMITTED"),
                        details("photon", "line\nbreak"),
                        Status.newBuilder()
                                .addDetails(
                                        Any.newBuilder()
                                                .setTypeUrl(
                                                        "type.googleapis.com/google.rpc.ErrorInfo")
                                                .setValue(ByteString.copyFromUtf8("\u00ff")))
                                .build()
                                .toByteArray())) {
            Metadata trailers = new Metadata();
            trailers.put(details, other);
            assertThat(RpcError.codeOf(trailers)).isEmpty();
        }
        Metadata newer = new Metadata();
        newer.put(details, details("photon", "OF_A_LATER_VERSION"));
        assertThat(RpcError.codeOf(newer)).contains("OF_A_LATER_VERSION");
    }

    private static byte[] details(String domain, String reason) {
        return Status.newBuilder()
                .addDetails(
                        Any.pack(
                                ErrorInfo.newBuilder().setDomain(domain).setReason(reason).build()))
                .build()
                .toByteArray();
    }

    private static Path page() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(at.resolve("docs/decisions"))) {
            at = requireNonNull(at.getParent());
        }
        return at.resolve("docs/errors.md");
    }
}
