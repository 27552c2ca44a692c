package photon.simulation.checks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.LedgerEntry;

/**
 * I3: what a dispatcher's checkpoint has passed is written down somewhere, by sets of ids. Judged
 * by what would survive a power cut of every datacenter at this moment.
 *
 * <p>An identity that datacenter A has passed is in one of these places: published anywhere; A's
 * journal; A's ledger; a repair row of any datacenter, or any datacenter's ledger as a dead letter
 * or outcome lost (A has passed it because another held it, and that one's repair owns it now); or
 * it is held in the registry by a token of an incarnation that is neither closed clean nor
 * repaired, which is the one that owes it: no boundary passes the id before. Or a repair of such an
 * incarnation has written down that it was lost: the next attempt hands it over again. Or it is in
 * the logs of a datacenter whose dispatcher has lost its state, and has not been read again, or
 * waits there since it was.
 */
final class NothingForgotten {
    private static final String INVARIANT = "I3";

    private final List<DatacenterFiles> datacenters;
    private final OutputChecker output;
    private final RegistryTruth registry;
    private final Map<String, PassedEvents> passed = new TreeMap<>();

    private long endedEntries;

    /** Datacenters whose dispatcher has lost its state. */
    private final Set<String> readAgain = new TreeSet<>();

    /** Datacenters that take part no more: nobody reads their journals. */
    private final Set<String> retired = new TreeSet<>();

    NothingForgotten(
            List<DatacenterFiles> datacenters, OutputChecker output, RegistryTruth registry) {
        this.datacenters = List.copyOf(datacenters);
        this.output = output;
        this.registry = registry;
        datacenters.forEach(
                datacenter -> passed.put(datacenter.name(), new PassedEvents(datacenter)));
    }

    void retired(String datacenter) {
        retired.add(datacenter);
    }

    /** What it has passed and not passed again is in its logs. */
    void readsAgain(String datacenter) {
        readAgain.add(datacenter);
    }

    List<InvariantViolation> check() {
        List<InvariantViolation> found = new ArrayList<>();
        List<StoredState> states = new ArrayList<>();
        for (DatacenterFiles datacenter : datacenters) {
            MemoryFileStore durable = datacenter.files().durableCopy();
            try {
                states.add(new StoredState(datacenter, durable));
            } catch (IOException e) {
                found.add(
                        InvariantViolation.of(
                                INVARIANT,
                                List.of(),
                                "what is durable in %s cannot be read: %s",
                                datacenter.name(),
                                e));
            }
        }
        if (found.isEmpty()) {
            for (StoredState state : states) {
                check(state, states, found);
                checkEnded(state, found);
                state.noteLedgers();
            }
        }
        return found;
    }

    private void check(StoredState state, List<StoredState> all, List<InvariantViolation> found) {
        List<EventId> forgotten = new ArrayList<>();
        for (EventId id : passedBy(state)) {
            if (!isKept(id, state, all)) {
                forgotten.add(id);
            }
        }
        if (!forgotten.isEmpty()) {
            found.add(
                    InvariantViolation.of(
                            INVARIANT,
                            forgotten,
                            "the checkpoint of %s has passed %d events that stand nowhere; the"
                                    + " first: %s",
                            state.datacenter().name(),
                            forgotten.size(),
                            describe(forgotten.get(0), all)));
        }
    }

    /** What a ledger held once is there, or was old enough when it went. */
    private void checkEnded(StoredState state, List<InvariantViolation> found) {
        endedEntries = Math.max(endedEntries, state.ended.size());
        for (StoredState.Ended gone : state.ended) {
            LedgerEntry entry = gone.entry();
            String wrong =
                    state.datacenter()
                            .seenLedgers()
                            .wrong(gone.directory(), entry, registry.boundaryMicros());
            if (wrong != null) {
                EventId id = entry.id();
                found.add(
                        InvariantViolation.of(
                                INVARIANT,
                                id == null ? List.of() : List.of(id),
                                "an entry of a ledger of %s is gone, but %s: %s",
                                state.datacenter().name(),
                                wrong,
                                entry));
            }
        }
    }

    /** How many entries of one datacenter's ledgers have gone. */
    long endedEntries() {
        return endedEntries;
    }

    private Iterable<EventId> passedBy(StoredState state) {
        try {
            PassedEvents events = passed.get(state.datacenter().name());
            return events == null ? List.of() : events.passed(state.checkpoint);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private boolean isKept(EventId id, StoredState state, List<StoredState> all) {
        if (output.isPublished(id)
                || output.wasLost(id)
                || waits(id, state)
                || state.inLedger(LedgerEntry.Kind.SKIPPED, id)) {
            return true;
        }
        for (StoredState any : all) {
            if ((!retired.contains(any.datacenter().name())
                            && (any.repairRows.contains(id)
                                    || any.isFoundLost(id, one -> !registry.settled(one))))
                    || any.inLedger(LedgerEntry.Kind.OUTCOME_LOST, id)
                    || any.inLedger(LedgerEntry.Kind.DEAD_LETTER, id)
                    || isTooOldByNow(id, any)) {
                return true;
            }
        }
        CommitToken holder = registry.holder(id);
        return (holder != null && !registry.settled(holder.incarnation())) || isReadAgain(id, all);
    }

    private boolean waits(EventId id, StoredState state) {
        return retired.contains(state.datacenter().name())
                ? state.rows.containsKey(
                        id) // the others have it in their own hands, if they read it
                : state.waits(id);
    }

    /** The state that was lost may have had it in a row, or had given it up in its ledger. */
    private boolean isTooOldByNow(EventId id, StoredState any) {
        return readAgain.contains(any.datacenter().name())
                && any.inLedger(LedgerEntry.Kind.SKIPPED, id);
    }

    private boolean isReadAgain(EventId id, List<StoredState> all) {
        for (StoredState any : all) {
            PassedEvents events = passed.get(any.datacenter().name());
            try {
                if (readAgain.contains(any.datacenter().name())
                        && events != null
                        && events.all().contains(id)
                        && (any.waits(id) || !events.passed(any.checkpoint).contains(id))) {
                    return true;
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
        return false;
    }

    private String describe(EventId id, List<StoredState> all) {
        CommitToken holder = registry.holder(id);
        String held =
                holder == null
                        ? "not held"
                        : "held by %s (%s)"
                                .formatted(
                                        holder,
                                        registry.settled(holder.incarnation())
                                                ? "settled"
                                                : "open");
        return held + "; " + String.join("; ", all.stream().map(s -> s.describe(id)).toList());
    }
}
