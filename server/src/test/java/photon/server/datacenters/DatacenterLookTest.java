package photon.server.datacenters;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.time.IntervalClock;
import photon.server.datacenters.DatacenterFacts.Journal;
import photon.storage.files.MemoryFileStore;
import photon.storage.journal.JournalRow;
import photon.storage.journal.OpenJournal;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;

/** What is seen of the journal of a datacenter that shall be retired. */
class DatacenterLookTest {
    private static final UUID PIPELINE = new UUID(1, 2);
    private static final UUID STATE = new UUID(7, 7);
    private static final DatacenterPaths PATHS =
            new DatacenterPaths("west", Path.of("/state/west"), "/out/west");
    private static final String DIRECTORY = "/state/west/dispatcher/" + STATE;

    private final MemoryFileStore files = new MemoryFileStore();

    private void make(int partitions) throws IOException {
        new StateHome(files, PATHS.dispatcher())
                .create(
                        STATE,
                        PIPELINE,
                        "west",
                        path -> new StatePartitions(path, partitions).make(files));
    }

    private void write(String directory, int repairRows, int otherRows) throws IOException {
        try (OpenJournal journal = OpenJournal.open(files, directory, 1)) {
            for (int n = 1; n <= repairRows; n++) {
                journal.put(row(n, new CommitToken(1, 1, n)));
            }
            for (int n = 1; n <= otherRows; n++) {
                journal.put(row(n, null));
            }
            journal.commit();
        }
    }

    private static JournalRow row(int n, @Nullable CommitToken lost) {
        ByteString key = ByteString.copyFrom(new byte[] {(byte) n});
        LogEvent event =
                new LogEvent(new EventId(n, n, 7, 1), key, "e", key, "p", ByteString.EMPTY);
        return new JournalRow(
                new JournalRow.Key(event.id(), lost), event, 0, 0, 0, 0, "waits", false);
    }

    private Optional<Journal> seen() throws IOException {
        return new DatacenterLook(files, () -> new IntervalClock.Interval(0, 0), PIPELINE)
                .journal(PATHS, Optional.of(STATE));
    }

    @Test
    void theJournalOfAStateThatIsNotDividedIsNamed() throws IOException {
        make(1);
        assertThat(seen()).isEmpty();
        write(DIRECTORY + "/journal", 2, 1);
        assertThat(seen()).contains(new Journal(DIRECTORY + "/journal", 2, 1));
    }

    @Test
    void rowsOfAllPartitionsWait() throws IOException {
        make(3);
        write(DIRECTORY + "/partition-0/journal", 0, 1);
        write(DIRECTORY + "/partition-1/journal", 0, 0);
        write(DIRECTORY + "/partition-2/journal", 3, 4);
        assertThat(seen()).contains(new Journal(DIRECTORY, 3, 5));
    }

    @Test
    void whereTheJournalOfOnePartitionIsNotThereNothingIsKnown() throws IOException {
        make(3);
        write(DIRECTORY + "/partition-0/journal", 0, 0);
        write(DIRECTORY + "/partition-2/journal", 0, 0);
        assertThat(seen()).isEmpty();
    }
}
