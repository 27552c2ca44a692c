package photon.verifier.books;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import photon.storage.ledger.EndedEntries;
import photon.storage.ledger.LedgerEntry.Kind;

/**
 * What ledgers had said of identities, of which sums are left (docs/protocol.md section 8): that
 * many identities up to the last one, of which nothing else is known, count as that. Not
 * thread-safe.
 */
final class EndedSums {
    private final List<Left> left = new ArrayList<>();

    /** What one ledger has ended. */
    void add(EndedEntries ended) {
        ended.sums()
                .forEach(
                        (kind, reasons) ->
                                reasons.forEach(
                                        (reason, sum) -> {
                                            Account account = accountOf(kind);
                                            if (account != null) {
                                                left.add(new Left(account, reason, sum));
                                            }
                                        }));
    }

    /** From nothing: to go through all identities once. */
    Counting counting() {
        return new Counting();
    }

    private static @Nullable Account accountOf(Kind kind) {
        return switch (kind) {
            case DEAD_LETTER -> Account.DEAD_LETTERED;
            case OUTCOME_LOST -> Account.OUTCOME_LOST;
            case SKIPPED -> Account.SKIPPED;
            case BAD_RECORD -> null;
        };
    }

    /**
     * Identities that count under one account.
     *
     * @param reason of the ledger's entries
     */
    record Left(Account account, String reason, EndedEntries.Sum sum) {}

    /** Goes through identities of which nothing is known, and counts. */
    final class Counting {
        private final long[] counted = new long[left.size()];

        /** What this one may have come to; those whose last one is the oldest are used up first. */
        Optional<Left> next(long micros) {
            int best = -1;
            for (int i = 0; i < counted.length; i++) {
                EndedEntries.Sum sum = left.get(i).sum();
                if (counted[i] < sum.entries()
                        && micros <= sum.lastMicros()
                        && (best < 0 || sum.lastMicros() < left.get(best).sum().lastMicros())) {
                    best = i;
                }
            }
            if (best < 0) {
                return Optional.empty();
            }
            counted[best]++;
            return Optional.of(left.get(best));
        }
    }
}
