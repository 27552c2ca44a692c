package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.eventstore.Events.event;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import photon.storage.tail.FilePosition;

/** The positions of logs, in commits that come many times a second. */
class IndexPositionsTest extends IndexOnMemoryFiles {
    private static final int POLLS = 1_000;

    private static FilePosition at(int file, long offset) {
        return new FilePosition(
                "/logs/frontend-17.east.example/searches/2026-11-25/searches." + file + ".jsonl",
                "5767168" + file,
                4_096,
                "0123456789abcdef".repeat(4),
                offset,
                1_764_000_000_000L + offset);
    }

    @Test
    void aPollOfALogThatIsKnownToTheSegmentTakesFewBytes() {
        for (int logs = 1; logs <= 3; logs += 2) {
            try (FileLogIndex index = open(USER)) {
                index.put(poll(logs, 0));
                long before = index.figures().diskBytes();
                for (int i = 1; i <= POLLS; i++) {
                    index.put(poll(logs, 1L << 32 | i));
                }
                long bytes = (index.figures().diskBytes() - before) / POLLS;
                assertThat(bytes).isLessThanOrEqualTo(50 + 25L * logs);
            }
            try (FileLogIndex index = open(USER)) {
                assertThat(index.opened().positions())
                        .isEqualTo(poll(logs, 1L << 32 | POLLS).positions());
            }
        }
    }

    private static IndexBatch poll(int logs, long offset) {
        List<FilePosition> positions = new ArrayList<>();
        for (int file = 0; file < logs; file++) {
            positions.add(at(file, offset + file));
        }
        return new IndexBatch(List.of(), positions, 0);
    }

    /** Also of files that are renamed, forgotten, or other ones with a key that is used again. */
    @Test
    void positionsAreThoseOfTheLastPutInEverySegmentAndLife() {
        limits = SMALL;
        Random random = new Random(1);
        Map<String, FilePosition> expected = new LinkedHashMap<>();
        for (int life = 0; life < 20; life++) {
            FileLogIndex index = open(USER);
            assertThat(index.opened().positions())
                    .containsExactlyInAnyOrderElementsOf(expected.values());
            for (int i = random.nextInt(40); i > 0; i--) {
                FilePosition position = position(random);
                if (random.nextInt(6) == 0) {
                    index.forget(List.of(position.key()));
                    expected.remove(position.key());
                } else {
                    FilePosition other = position(random);
                    List<FilePosition> both = new ArrayList<>(List.of(position));
                    if (!other.key().equals(position.key())) {
                        both.add(other);
                    }
                    index.put(new IndexBatch(List.of(event("e" + i, "{}")), both, 0));
                    both.forEach(p -> expected.put(p.key(), p));
                }
            }
            files.endHandles();
        }
        assertThat(expected).hasSizeGreaterThan(3);
    }

    private static FilePosition position(Random random) {
        int file = random.nextInt(8);
        return new FilePosition(
                "/logs/" + file + "." + random.nextInt(4) / 3,
                "" + file,
                4 + random.nextInt(4) / 3,
                "abc" + random.nextInt(4) / 3,
                random.nextInt(1_000),
                random.nextInt(1_000));
    }
}
