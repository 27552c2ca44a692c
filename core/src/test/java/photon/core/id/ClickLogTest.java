package photon.core.id;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.time.IntervalClock;
import photon.core.time.IntervalClock.Interval;

/** The README's example does what the README says, and is what the README shows. */
class ClickLogTest {
    private static final InetAddress SERVER = InetAddresses.forString("10.1.2.3");
    private static final String PRIMARY = "{\"server\":\"10.0.0.9\",\"process\":7,\"timestamp\":3}";

    @TempDir Path directory;
    private long now = 1_000_000;
    private final IntervalClock clock = () -> new Interval(now, now);

    @Test
    void logsNativeIdsThatHigherLivesNeverRepeat() throws Exception {
        EventId before;
        try (ClickLog log = new ClickLog(directory, SERVER, 1, clock)) {
            log.click(PRIMARY, "shoes");
            before = log.click(PRIMARY, "hats");
        }
        now -= 400_000; // set back while the process was down
        EventId after;
        try (ClickLog log = new ClickLog(directory, SERVER, 1, clock)) {
            now += 50_000;
            after = log.click(PRIMARY, "gloves");
        }
        assertThat(after).isGreaterThan(before);
        List<String> lines = Files.readAllLines(directory.resolve("clicks.log"));
        assertThat(lines).hasSize(3);
        JsonNode last = new ObjectMapper().readTree(lines.get(2));
        assertThat(last.get("server").asText()).isEqualTo("10.1.2.3");
        assertThat(last.get("process").asLong()).isEqualTo(1);
        assertThat(last.get("timestamp").asLong()).isEqualTo(after.micros());
        assertThat(last.get("query").get("timestamp").asLong()).isEqualTo(3);
    }

    @Test
    void theReadmeShowsThisSource() throws IOException {
        String source = Files.readString(Path.of("src/test/java/photon/core/id/ClickLog.java"));
        String begin = "// README begins\n";
        String shown =
                source.substring(
                        source.indexOf(begin) + begin.length(), source.indexOf("// README ends"));
        assertThat(Files.readString(Path.of("README.md"))).contains("```java\n" + shown + "```");
    }
}
