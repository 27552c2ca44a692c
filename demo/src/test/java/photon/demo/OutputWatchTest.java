package photon.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.EventId;
import photon.storage.files.HadoopFileStore;

class OutputWatchTest {
    @TempDir Path root;

    private OutputWatch watch;

    @BeforeEach
    void startWatching() {
        watch =
                new OutputWatch(
                        new HadoopFileStore(),
                        Map.of(
                                "east",
                                root.resolve("east").toString(),
                                "west",
                                root.resolve("west").toString()),
                        JoinedIdentity.ofNativeFields());
    }

    @Test
    void directoriesThatAreNotThereYetAreEmpty() throws IOException {
        watch.poll(5);
        assertThat(watch.distinct()).isZero();
        assertThat(watch.distinctByDatacenter())
                .containsExactly(Map.entry("east", 0L), Map.entry("west", 0L));
    }

    @Test
    void countsEachForeignEventOnceAndRemembersWhenItWasSeen() throws IOException {
        publish("east/1-1-000001.jsonl", line(10), line(11));
        watch.poll(100);
        publish("west/2-1-000001.jsonl", line(12));
        publish("west/late/dt=2026-11-23/hour=07/2-1-000002.jsonl", line(13));
        watch.poll(200);
        watch.poll(300);
        assertThat(watch.distinct()).isEqualTo(4);
        assertThat(watch.distinctByDatacenter())
                .containsExactly(Map.entry("east", 2L), Map.entry("west", 2L));
        assertThat(watch.duplicates()).isZero();
        assertThat(watch.firstSeenMillis(id(11))).hasValue(100);
        assertThat(watch.firstSeenMillis(id(13))).hasValue(200);
        assertThat(watch.firstSeenMillis(id(14))).isEmpty();
    }

    @Test
    void aDuplicateIsSeenWithinAFileADatacenterAndOverBoth() throws IOException {
        publish("east/1-1-000001.jsonl", line(10), line(10));
        watch.poll(100);
        assertThat(watch.duplicates()).isEqualTo(1);
        publish("east/1-1-000002.jsonl", line(10));
        watch.poll(200);
        assertThat(watch.duplicates()).isEqualTo(2);
        publish("west/2-1-000001.jsonl", line(10), line(11));
        watch.poll(300);
        assertThat(watch.duplicates()).isEqualTo(3);
        assertThat(watch.distinct()).isEqualTo(2);
        assertThat(watch.distinctByDatacenter())
                .containsExactly(Map.entry("east", 1L), Map.entry("west", 1L));
        assertThat(watch.firstSeenMillis(id(10))).hasValue(100);
    }

    @Test
    void whatIsNoOutputIsNotLookedAt() throws IOException {
        publish("east/_work/1-1/half.jsonl", "{");
        publish("east/_photon.json", "{");
        publish("east/.1-1-000001.jsonl", "{");
        publish("east/1-1-000001.txt", "{");
        watch.poll(1);
        assertThat(watch.distinct()).isZero();
    }

    @Test
    void aLineThatIsNoJoinedEventIsToldAndItsFileIsNotSeen() throws IOException {
        for (String wrong :
                List.of("{\"id\": \"a:1:5\"}", "{", "7", line(5).replace(":7:", ":x:"))) {
            publish("east/1-1-000001.jsonl", line(10), wrong);
            assertThatThrownBy(() -> watch.poll(1))
                    .as(wrong)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("line 2 of");
            assertThat(watch.distinct()).isZero();
        }
        publish("east/1-1-000001.jsonl", line(10));
        watch.poll(2);
        assertThat(watch.distinct()).isEqualTo(1);
        assertThat(watch.duplicates()).isZero();
    }

    @Test
    void nativeIdsAreReadAsThePipelineReadsThem() {
        JoinedIdentity identity = JoinedIdentity.ofNativeFields();
        assertThat(identity.of("10.0.0.1:7:5", 5)).isEqualTo(id(5));
        assertThat(identity.of("::ffff:10.0.0.1:7:5", 5)).isEqualTo(id(5));
        assertThat(identity.of("2001:db8::1:4294967294:6", 6))
                .isEqualTo(new EventId(6, 0x2001_0db8_0000_0000L, 1, -2));
        assertThatThrownBy(() -> identity.of("10.0.0.1:7:5", 6))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> identity.of("c5", 6)).isInstanceOf(IllegalArgumentException.class);
    }

    private void publish(String name, String... lines) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
    }

    private static EventId id(long micros) {
        return new EventId(micros, 0, 0xFFFF_0A00_0001L, 7);
    }

    /** As the merge adapter writes it. */
    private static String line(long micros) {
        return ("{\"id\": \"10.0.0.1:7:%d\", \"primaryId\": \"10.0.0.2:1:3\","
                        + " \"timestampMicros\": %d, \"foreign\": {\"id\": 1}, \"primary\": {}}")
                .formatted(micros, micros);
    }
}
