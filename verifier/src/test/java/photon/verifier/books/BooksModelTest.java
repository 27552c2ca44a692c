package photon.verifier.books;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.core.id.EventId;
import photon.storage.ledger.LedgerEntry.Kind;
import photon.storage.tail.FilePosition;
import photon.verifier.source.MemoryLogs;

/** The books against the plainest way to say what they are, over random leftovers. */
final class BooksModelTest {
    private static final int FILES = 3;
    private static final int DATACENTERS = 3;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void theBooksAreWhatTheModelSays(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Model model = new Model();
        MemoryLogs logs = new MemoryLogs();
        List<FakeDatacenter> datacenters = new ArrayList<>();
        int identities = 1 + random.nextInt(60);
        for (int file = 0; file < FILES; file++) {
            int records = random.nextInt(60);
            for (int i = 0; i < records; i++) {
                String content = "content" + (random.nextInt(10) == 0 ? 1 : 0);
                EventId id = randomId(random, identities);
                logs.append("f" + file, id, content);
                model.records.add(new Read("f" + file, i, id, content));
            }
        }
        for (int number = 0; number < DATACENTERS; number++) {
            datacenters.add(leftovers(random, identities, number, logs, model));
        }
        Books books = Bookkeeper.read(datacenters, logs, () -> 0, Long.MIN_VALUE).books();
        model.compare(books, seed);
    }

    private static FakeDatacenter leftovers(
            SplittableRandom random, int identities, int number, MemoryLogs logs, Model model) {
        FakeDatacenter datacenter = new FakeDatacenter("dc" + "x".repeat(number));
        for (int i = random.nextInt(25); i > 0; i--) {
            EventId id = randomId(random, identities + 3);
            switch (random.nextInt(5)) {
                case 0 -> {
                    int events = 1 + random.nextInt(3);
                    datacenter.joined(id, events);
                    model.published.computeIfAbsent(id, k -> new ArrayList<>()).add(events);
                    model.joinedIn.computeIfAbsent(number, k -> new HashSet<>()).add(id);
                }
                case 1 -> {
                    datacenter.waiting(id);
                    model.waiting.add(id);
                }
                case 2 -> {
                    datacenter.wrote(Kind.DEAD_LETTER, id);
                    model.dead.add(id);
                }
                case 3 -> {
                    datacenter.wrote(Kind.OUTCOME_LOST, id);
                    model.lost.add(id);
                }
                default -> {
                    String reason = "reason" + random.nextInt(3);
                    datacenter.wrote(Kind.SKIPPED, id, reason, "", -1);
                    model.skipped.putIfAbsent(id, reason);
                }
            }
        }
        Map<String, Integer> readUpTo = new HashMap<>();
        if (random.nextInt(4) > 0) {
            List<FilePosition> positions = new ArrayList<>();
            for (int file = 0; file < FILES; file++) {
                if (random.nextBoolean()) {
                    int records = random.nextInt(60);
                    readUpTo.put("f" + file, records);
                    positions.add(logs.position("f" + file, records));
                }
            }
            datacenter.readUpTo(positions.toArray(new FilePosition[0]));
        }
        model.checkpoints.add(readUpTo);
        return datacenter;
    }

    private static EventId randomId(SplittableRandom random, int identities) {
        int n = random.nextInt(identities);
        return new EventId(n / 4, n % 4, 0, 0);
    }

    private record Read(String file, int index, EventId id, String content) {}

    /** What there is, as sets. */
    private static final class Model {
        final List<Read> records = new ArrayList<>();
        final Map<EventId, List<Integer>> published = new HashMap<>();
        final Map<Integer, Set<EventId>> joinedIn = new HashMap<>();
        final Set<EventId> waiting = new HashSet<>();
        final Set<EventId> dead = new HashSet<>();
        final Set<EventId> lost = new HashSet<>();
        final Map<EventId, String> skipped = new HashMap<>();
        final List<Map<String, Integer>> checkpoints = new ArrayList<>();

        void compare(Books books, long seed) {
            Map<String, Long> expected = new TreeMap<>();
            Map<EventId, Set<String>> foreign = new HashMap<>();
            for (Read read : records) {
                foreign.computeIfAbsent(read.id(), k -> new HashSet<>()).add(read.content());
            }
            foreign.keySet().forEach(id -> expected.merge(accountOf(id), 1L, Long::sum));
            assertThat(counts(books)).as("seed %s", seed).isEqualTo(expected);
            assertThat(books.foreignEvents()).isEqualTo(foreign.size());
            assertThat(books.conflictingRepeats())
                    .isEqualTo(foreign.values().stream().filter(c -> c.size() > 1).count());
            assertThat(books.invented())
                    .isEqualTo(
                            published.keySet().stream()
                                    .filter(id -> !foreign.containsKey(id))
                                    .count());
            assertThat(books.duplicates()).as("seed %s", seed).isEqualTo(duplicates());
            List<Books.Datacenter> parts = List.copyOf(books.byDatacenter().values());
            for (int i = 0; i < DATACENTERS; i++) {
                Set<EventId> joined = new HashSet<>(joinedIn.getOrDefault(i, Set.of()));
                joined.retainAll(foreign.keySet());
                assertThat(parts.get(i).joined()).isEqualTo(joined.size());
            }
        }

        private String accountOf(EventId id) {
            if (published.containsKey(id)) {
                return "joined";
            }
            if (dead.contains(id)) {
                return "dead";
            }
            if (waiting.contains(id)) {
                return "waiting";
            }
            if (lost.contains(id)) {
                return "lost";
            }
            if (skipped.containsKey(id)) {
                return skipped.get(id);
            }
            return isUnread(id) ? "unread" : "unaccounted";
        }

        private boolean isUnread(EventId id) {
            for (Map<String, Integer> readUpTo : checkpoints) {
                for (Read read : records) {
                    if (read.id().equals(id)
                            && read.index() < readUpTo.getOrDefault(read.file(), 0)) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** Keys (identity, ordinal) beyond the first of each. */
        private long duplicates() {
            long all = 0;
            Set<String> keys = new HashSet<>();
            for (Map.Entry<EventId, List<Integer>> entry : published.entrySet()) {
                for (int events : entry.getValue()) {
                    for (int ordinal = 0; ordinal < events; ordinal++) {
                        all++;
                        keys.add(entry.getKey() + "#" + ordinal);
                    }
                }
            }
            return all - keys.size();
        }

        private static Map<String, Long> counts(Books books) {
            Map<String, Long> counts = new TreeMap<>(books.skipped());
            counts.put("joined", books.joined());
            counts.put("dead", books.deadLettered());
            counts.put("waiting", books.waiting());
            counts.put("lost", books.outcomeLost());
            counts.put("unread", books.unread());
            counts.put("unaccounted", books.unaccounted());
            counts.values().removeIf(count -> count == 0);
            return counts;
        }
    }
}
