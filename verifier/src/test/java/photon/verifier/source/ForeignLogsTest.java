package photon.verifier.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.storage.files.MemoryFileStore;
import photon.storage.files.MemoryFileStore.Operation;
import photon.storage.tail.TailBatch;
import photon.verifier.StoredDatacenter;

/** Readings of logs in files. */
final class ForeignLogsTest {
    private final MemoryFileStore files = new MemoryFileStore(3);
    private final List<Long> read = new ArrayList<>();
    private int listings;

    private ForeignLogs.Reading open(int clicks) throws IOException {
        StoredDatacenter.writeClicks(files, clicks);
        files.setHook(
                (operation, path) -> {
                    if (operation == Operation.LIST) {
                        listings++;
                    }
                });
        return ForeignLogs.of(files, StoredDatacenter.foreign(), StoredDatacenter.CLOCK)
                .open(List.of());
    }

    private TailBatch poll(ForeignLogs.Reading reading, int recordsMax) throws IOException {
        TailBatch batch = reading.poll(recordsMax, 0);
        for (TailBatch.Item item : batch.items()) {
            if (item.event() != null) {
                read.add(item.event().id().micros());
            }
        }
        return batch;
    }

    /** There may be thousands of logs, and a billion records. */
    @Test
    void theLogsAreNotListedForEachFewRecords() throws IOException {
        try (ForeignLogs.Reading reading = open(5_000)) {
            int polls = 1;
            while (!poll(reading, 100).caughtUp()) {
                polls++;
            }
            assertThat(read).hasSize(5_000);
            assertThat(polls).isGreaterThan(40);
            assertThat(listings).isLessThan(5);
        }
    }

    @Test
    void whatComesWhileMuchIsReadIsSeenWithinASecond() throws IOException {
        try (ForeignLogs.Reading reading = open(5_000)) {
            poll(reading, 100);
            files.put("/in/a.csv", "9001,c9001,q9001\n".getBytes(UTF_8));
            for (long second = 2; second < 8; second++) {
                for (TailBatch.Item item : reading.poll(100, second * 1_000_000_000).items()) {
                    if (item.event() != null) {
                        read.add(item.event().id().micros());
                    }
                }
            }
            assertThat(read).contains(9_001L);
        }
    }

    @Test
    void thatAllIsReadIsOfWhatWasThereWhenItWasAskedFor() throws IOException {
        try (ForeignLogs.Reading reading = open(3)) {
            assertThat(poll(reading, 1_000).caughtUp()).isTrue();
            files.put("/in/late.csv", "7,c7,q7\n".getBytes(UTF_8));
            files.append("/in/clicks.csv", "8,c8,q8\n".getBytes(UTF_8));
            reading.listNext();
            assertThat(poll(reading, 1_000).caughtUp()).isTrue();
            assertThat(read).contains(7L, 8L);
        }
    }

    /** The end is found at once, whatever the clock says. */
    @Test
    void aPollThatFoundNothingIsFollowedByAListing() throws IOException {
        try (ForeignLogs.Reading reading = open(3)) {
            poll(reading, 1_000);
            poll(reading, 1_000);
            files.put("/in/late.csv", "7,c7,q7\n".getBytes(UTF_8));
            assertThat(poll(reading, 1_000).caughtUp()).isTrue();
            assertThat(read).contains(7L);
        }
    }
}
