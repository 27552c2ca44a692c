package photon.verifier.books;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.storage.ledger.EndedEntries;
import photon.storage.ledger.LedgerEntry.Kind;
import photon.storage.output.RetiredIncarnations;

/**
 * Holds what is known by sums alone: what retired incarnations had published, and what entries of
 * ledgers had said that retention has taken away (docs/protocol.md section 8). Each sum stands for
 * that many identities up to its last one, of which nothing else is known; which ones, the books
 * cannot tell any more. Not thread-safe.
 */
final class LeftSums {
    private final List<Left> left = new ArrayList<>();

    /** Of ledgers: how many entries each datacenter had. */
    private final Map<Account, Map<String, Long>> entries = new EnumMap<>(Account.class);

    /**
     * Identities that count under one account.
     *
     * @param datacenter that has joined them, or has the ledger
     * @param of the same datacenter, or the reason of the ledger's entries
     * @param lastMicros none of them is younger
     */
    record Left(Account account, String datacenter, String of, long identities, long lastMicros) {}

    /** What retired incarnations of one datacenter had published. */
    void retired(String datacenter, RetiredIncarnations.Left sum) {
        left.add(new Left(Account.JOINED, datacenter, datacenter, sum.events(), sum.lastMicros()));
    }

    /** What one ledger of a datacenter has ended. */
    void ended(String datacenter, EndedEntries ended) {
        ended.sums()
                .forEach(
                        (kind, reasons) ->
                                reasons.forEach(
                                        (reason, sum) -> ended(datacenter, kind, reason, sum)));
    }

    private void ended(String datacenter, Kind kind, String reason, EndedEntries.Sum sum) {
        Account account = accountOf(kind);
        if (account != null) {
            left.add(new Left(account, datacenter, reason, sum.entries(), sum.lastMicros()));
            entries.computeIfAbsent(account, none -> new TreeMap<>())
                    .merge(datacenter, sum.entries(), Long::sum);
        }
    }

    /**
     * What another datacenter had more of may be the same identities: every datacenter reads all
     * logs. What is joined, one alone has joined.
     */
    private boolean isRepeated(Left one) {
        Map<String, Long> all = entries.get(one.account());
        return all != null
                && !Collections.max(all.entrySet(), Map.Entry.comparingByValue())
                        .getKey()
                        .equals(one.datacenter());
    }

    private static @Nullable Account accountOf(Kind kind) {
        return switch (kind) {
            case DEAD_LETTER -> Account.DEAD_LETTERED;
            case OUTCOME_LOST -> Account.OUTCOME_LOST;
            case SKIPPED -> Account.SKIPPED;
            case BAD_RECORD -> null;
        };
    }

    /** Shares the sums out, from nothing. */
    Sharing sharing() {
        return new Sharing();
    }

    /**
     * Gives identities of which nothing is known to the sums: as many as can be, and of these as
     * many as can be to each account, in the order of {@link Account}; first without those that
     * several datacenters may have counted. First hears of all of them, then tells of each.
     *
     * <p>All sums are shared out at once. If one sort of them took its share first, it could take
     * identities that the others need, and would leave those that only it could have had.
     */
    final class Sharing {
        /** Identities up to this sum's last one and above that of the sum before it. */
        private final TreeMap<Long, Long> heard = new TreeMap<>();

        private @Nullable Map<Long, Deque<Part>> shared;
        private final Map<String, Long> joined = new HashMap<>();

        private Sharing() {
            left.forEach(one -> heard.put(one.lastMicros(), 0L));
        }

        /** There is one of this timestamp. */
        void hear(long micros) {
            Long last = heard.ceilingKey(micros);
            if (last != null) {
                heard.merge(last, 1L, Long::sum);
            }
        }

        /** What one that was heard of counts as; empty: there are more of its age than sums. */
        Optional<Left> tell(long micros) {
            if (shared == null) {
                shared = share();
            }
            Long last = heard.ceilingKey(micros);
            Deque<Part> parts = last == null ? null : shared.get(last);
            if (parts == null || parts.isEmpty()) {
                return Optional.empty();
            }
            Part part = parts.element();
            if (--part.identities == 0) {
                parts.remove();
            }
            if (part.of.account() == Account.JOINED) {
                joined.merge(part.of.of(), 1L, Long::sum);
            }
            return Optional.of(part.of);
        }

        /** The youngest first: a sum that can have them can have all older ones, too. */
        private Map<Long, Deque<Part>> share() {
            Map<Long, Deque<Part>> all = new HashMap<>();
            List<Part> room = new ArrayList<>();
            heard.descendingMap()
                    .forEach(
                            (last, identities) -> {
                                left.stream()
                                        .filter(one -> one.lastMicros() == last)
                                        .forEach(
                                                one ->
                                                        room.add(
                                                                new Part(
                                                                        one,
                                                                        isRepeated(one),
                                                                        one.identities())));
                                room.sort(Part.ORDER);
                                all.put(last, take(room, identities));
                            });
            return all;
        }

        private static Deque<Part> take(List<Part> room, long identities) {
            Deque<Part> parts = new ArrayDeque<>();
            long missing = identities;
            for (Part part : room) {
                long taken = Math.min(missing, part.identities);
                if (taken > 0) {
                    parts.add(new Part(part.of, part.repeated, taken));
                    part.identities -= taken;
                    missing -= taken;
                }
            }
            return parts;
        }

        /** With what retired incarnations have joined of those that were told of. */
        Map<String, Books.Datacenter> addTo(Map<String, Books.Datacenter> datacenters) {
            Map<String, Books.Datacenter> all = new LinkedHashMap<>();
            datacenters.forEach(
                    (name, part) ->
                            all.put(
                                    name,
                                    new Books.Datacenter(
                                            part.joined() + joined.getOrDefault(name, 0L),
                                            part.waiting())));
            return all;
        }
    }

    /** Some identities of a sum. */
    private static final class Part {
        static final Comparator<Part> ORDER =
                Comparator.comparing((Part part) -> part.repeated)
                        .thenComparing(part -> part.of.account());

        private final Left of;
        private final boolean repeated;
        private long identities;

        Part(Left of, boolean repeated, long identities) {
            this.of = of;
            this.repeated = repeated;
            this.identities = identities;
        }
    }
}
