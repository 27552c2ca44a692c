package photon.simulation.checks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory;
import photon.verifier.books.Bookkeeper;
import photon.verifier.books.Books;
import photon.verifier.books.DatacenterRecords;
import photon.verifier.books.RetiredDatacenterRecords;

/**
 * I2, once all is mended and some time has gone by: every identity has met its fate, every
 * incarnation is settled or lives, the books balance, and each held id is accounted for by exactly
 * the token that holds it.
 */
final class EventuallyJoined {
    private static final String INVARIANT = "I2";

    private final GroundTruth truth;
    private final List<DatacenterFiles> datacenters;
    private final OutputChecker output;
    private final RegistryTruth registry;

    /** Datacenters that take part no more. */
    private final Set<String> retired = new TreeSet<>();

    EventuallyJoined(
            GroundTruth truth,
            List<DatacenterFiles> datacenters,
            OutputChecker output,
            RegistryTruth registry) {
        this.truth = truth;
        this.datacenters = List.copyOf(datacenters);
        this.output = output;
        this.registry = registry;
    }

    void retired(String datacenter) {
        retired.add(datacenter);
    }

    /** In a datacenter that takes part still: what only a retired one could join it may have. */
    private boolean mustBeJoined(ForeignIdentity identity) {
        return identity.fate() == Fate.JOINABLE
                && identity.datacenters().stream()
                        .anyMatch(
                                reader -> !retired.contains(reader) && identity.joinableIn(reader));
    }

    /** How many nobody reads who takes part still. */
    private long readByNobody() {
        return truth.identities().stream()
                .filter(identity -> retired.containsAll(identity.datacenters()))
                .count();
    }

    /** Cheap: whether {@link #check} is worth its while. */
    boolean mayBeDone(Set<EventId> outcomeLostAllowed) {
        for (ForeignIdentity identity : truth.identities()) {
            if (mustBeJoined(identity)
                    && !output.isPublished(identity.id())
                    && !outcomeLostAllowed.contains(identity.id())
                    && (!passed(identity) || registry.holder(identity.id()) != null)) {
                // What the boundary has passed need not be joined, but whoever holds it shall
                // publish it: in a shard whose own boundary is behind it may be joined yet.
                return false;
            }
            if (identity.alone() && isOnItsWay(identity.id().upgrade(), outcomeLostAllowed)) {
                return false;
            }
        }
        return registry.incarnations().stream().allMatch(this::settledOrLive);
    }

    private boolean isOnItsWay(EventId id, Set<EventId> outcomeLostAllowed) {
        return !outcomeLostAllowed.contains(id)
                && registry.holder(id) != null
                && !output.isPublished(id);
    }

    private boolean settledOrLive(Incarnation incarnation) {
        return registry.settled(incarnation) || registry.live(incarnation);
    }

    /**
     * @param outcomeLostAllowed identities of which nobody can tell, and the world knows why; they
     *     need not be joined
     */
    List<InvariantViolation> check(Set<EventId> outcomeLostAllowed) throws IOException {
        List<InvariantViolation> found = new ArrayList<>();
        List<StoredState> states = new ArrayList<>();
        for (DatacenterFiles datacenter : datacenters) {
            states.add(new StoredState(datacenter, datacenter.files().copy()));
        }
        checkFates(states, outcomeLostAllowed, found);
        checkBadRecords(states, found);
        List<Incarnation> unsettled =
                registry.incarnations().stream().filter(i -> !settledOrLive(i)).toList();
        if (!unsettled.isEmpty()) {
            found.add(
                    InvariantViolation.of(
                            INVARIANT, List.of(), "incarnations were not repaired: %s", unsettled));
        }
        checkTokens(states, outcomeLostAllowed, found);
        checkBooks(states, outcomeLostAllowed, found);
        return found;
    }

    private void checkFates(
            List<StoredState> states,
            Set<EventId> outcomeLostAllowed,
            List<InvariantViolation> found) {
        Map<String, List<EventId>> wrong = new LinkedHashMap<>();
        for (ForeignIdentity identity : truth.identities()) {
            EventId id = identity.id();
            if (outcomeLostAllowed.contains(id) || passed(identity)) {
                continue;
            }
            String problem = problem(identity, states);
            if (problem != null) {
                wrong.computeIfAbsent(problem, text -> new ArrayList<>()).add(id);
            }
        }
        wrong.forEach(
                (problem, ids) ->
                        found.add(
                                InvariantViolation.of(
                                        INVARIANT,
                                        ids,
                                        "%d events: %s; the first: %s",
                                        ids.size(),
                                        problem,
                                        describe(ids.get(0), states))));
    }

    /** Null: it has met its fate. */
    private @Nullable String problem(ForeignIdentity identity, List<StoredState> states) {
        EventId id = identity.id();
        boolean published = output.isPublished(id);
        if (identity.fate() == Fate.JOINABLE) {
            return published || (!mustBeJoined(identity) && output.publishedOf(id) == 0)
                    ? null
                    : output.publishedOf(id) == 0
                            ? "expected to be published, but are not"
                            : "expected to be published, but are only in part";
        }
        if (output.publishedOf(id) > 0) {
            return "published, but expected " + identity.fate();
        }
        for (StoredState state : states) {
            String name = state.datacenter().name();
            boolean reads = identity.datacenters().contains(name) && !retired.contains(name);
            boolean kept =
                    switch (identity.fate()) {
                        case WAITING, FUTURE -> !reads || state.rows.containsKey(id);
                        case TOO_OLD ->
                                !reads
                                        || state.inLedger(LedgerEntry.Kind.SKIPPED, id)
                                        || state.inLedger(LedgerEntry.Kind.OUTCOME_LOST, id);
                        case SKIPPED -> !reads || state.inLedger(LedgerEntry.Kind.SKIPPED, id);
                        case REJECTED -> !reads || state.inLedger(LedgerEntry.Kind.DEAD_LETTER, id);
                        default ->
                                !state.waits(id) && !state.inLedger(LedgerEntry.Kind.SKIPPED, id);
                    };
            if (!kept) {
                return "expected %s in %s, but not found so"
                        .formatted(identity.fate(), state.datacenter().name());
            }
        }
        return null;
    }

    private void checkBadRecords(List<StoredState> states, List<InvariantViolation> found)
            throws IOException {
        for (StoredState state : states) {
            String name = state.datacenter().name();
            if (retired.contains(name)) {
                continue; // it may not have read them
            }
            SortedSet<String> expected = new PassedEvents(state.datacenter()).badPlaces();
            if (!state.badPlaces().equals(expected)) {
                found.add(
                        InvariantViolation.of(
                                INVARIANT,
                                List.of(),
                                "expected bad records in the dispatcher's ledger of %s at %s, but"
                                        + " got %s",
                                name,
                                expected,
                                state.badPlaces()));
            }
        }
    }

    /** Each published record's token is the registry's holder, and nothing else is held. */
    private void checkTokens(
            List<StoredState> states,
            Set<EventId> outcomeLostAllowed,
            List<InvariantViolation> found)
            throws IOException {
        TreeMap<EventId, CommitToken> written = new TreeMap<>();
        for (StoredState state : states) {
            OutputDirectory directory = state.output().orElse(null);
            if (directory == null) {
                continue;
            }
            for (Incarnation incarnation : directory.incarnations()) {
                for (Manifest manifest : directory.manifests(incarnation)) {
                    for (Manifest.Entry entry : manifest.entries()) {
                        written.put(entry.id(), entry.token());
                        checkCount(entry, found);
                    }
                }
            }
        }
        List<EventId> notHolders = new ArrayList<>();
        List<EventId> lost = new ArrayList<>();
        for (ForeignIdentity identity : truth.identities()) {
            EventId id = identity.id();
            checkToken(id, written.get(id), outcomeLostAllowed.contains(id), notHolders, lost);
            if (identity.alone()) {
                // A lost one waits for its primary event, which may be known to nobody any more.
                EventId upgrade = id.upgrade();
                boolean waits = states.stream().anyMatch(one -> one.upgradeRows.contains(id));
                boolean allowed = waits || outcomeLostAllowed.contains(upgrade);
                checkToken(upgrade, written.get(upgrade), allowed, notHolders, lost);
            }
        }
        addTokens("a published record's token is not the holder", notHolders, written, found);
        addTokens("held, but in no published file", lost, written, found);
    }

    private void checkToken(
            EventId id,
            @Nullable CommitToken token,
            boolean lostAllowed,
            List<EventId> notHolders,
            List<EventId> lost) {
        CommitToken holder = registry.holder(id);
        if (token != null && !token.equals(holder) && id.micros() >= registry.boundaryMicros()) {
            notHolders.add(id);
        } else if (token == null && holder != null && !lostAllowed) {
            lost.add(id);
        }
    }

    private void checkCount(Manifest.Entry entry, List<InvariantViolation> found) {
        int standing = output.publishedOf(entry.id());
        if (entry.joinedEvents() != standing) {
            found.add(
                    InvariantViolation.of(
                            INVARIANT,
                            List.of(entry.id()),
                            "a manifest says that it gave %d joined events, but %d stand there",
                            entry.joinedEvents(),
                            standing));
        }
    }

    private void addTokens(
            String problem,
            List<EventId> ids,
            Map<EventId, CommitToken> written,
            List<InvariantViolation> found) {
        if (!ids.isEmpty()) {
            EventId first = ids.get(0);
            found.add(
                    InvariantViolation.of(
                            INVARIANT,
                            ids,
                            "%d events: %s; the first: written by %s, held by %s",
                            ids.size(),
                            problem,
                            written.get(first),
                            registry.holder(first)));
        }
    }

    private void checkBooks(
            List<StoredState> states,
            Set<EventId> outcomeLostAllowed,
            List<InvariantViolation> found)
            throws IOException {
        List<DatacenterRecords> records = new ArrayList<>();
        for (StoredState state : states) {
            DatacenterRecords.Stored of = state.records();
            if (of != null) {
                records.add(retired.contains(of.name()) ? new RetiredDatacenterRecords(of) : of);
            }
        }
        Books books =
                Bookkeeper.read(records, new AllForeignLogs(states), () -> 0L, Long.MIN_VALUE)
                        .books();
        if (books.duplicates() > 0
                || books.unaccounted() > 0
                || books.unread() > readByNobody()
                || books.invented() > 0
                || books.deadLettered() > rejected() + summedTwice(states)
                || books.deadLettered() < rejected() - passed() - readByNobody()
                || books.outcomeLost() > outcomeLostAllowed.size() + tooOld() + passed()
                || !books.alarms().isEmpty()) {
            found.add(
                    InvariantViolation.of(
                            INVARIANT,
                            List.of(),
                            "the books do not balance: %d duplicates, %d unaccounted, %d unread, %d"
                                    + " invented, %d dead letters, %d outcomes lost, alarms %s, %s",
                            books.duplicates(),
                            books.unaccounted(),
                            books.unread(),
                            books.invented(),
                            books.deadLettered(),
                            books.outcomeLost(),
                            books.alarms(),
                            books.samples()));
        }
    }

    /**
     * Dead letters whose entries have ended in several segments or datacenters, or have ended in
     * one and stand in another: the sum of what has ended does not say of whom it is.
     */
    private static int summedTwice(List<StoredState> states) {
        List<EventId> ended =
                states.stream()
                        .flatMap(state -> state.ended.stream())
                        .map(StoredState.Ended::entry)
                        .filter(entry -> entry.kind() == LedgerEntry.Kind.DEAD_LETTER)
                        .map(entry -> requireNonNull(entry.id()))
                        .toList();
        Set<EventId> bySums = new HashSet<>(ended);
        bySums.removeIf(id -> states.stream().anyMatch(state -> state.isStandingDeadLetter(id)));
        return ended.size() - bySums.size();
    }

    /**
     * The boundary has come to it, or so near that nobody tried, as it does in few worlds: I3 alone
     * says where it stands.
     */
    private boolean passed(ForeignIdentity identity) {
        return truth.boundaryMoves()
                && identity.fate() != Fate.TOO_OLD
                && identity.id().micros()
                        < registry.boundaryMicros() + GroundTruth.NEAR_BOUNDARY.toNanos() / 1_000;
    }

    private long passed() {
        return truth.boundaryMoves() ? truth.identities().stream().filter(this::passed).count() : 0;
    }

    /** Where the boundary moves some of them may have become too old before anyone tried. */
    private long rejected() {
        return truth.identities().stream().filter(i -> i.fate() == Fate.REJECTED).count();
    }

    /** Where the first answer to a commit was lost, nobody can tell of these. */
    private long tooOld() {
        return truth.identities().stream().filter(i -> i.fate() == Fate.TOO_OLD).count();
    }

    private String describe(EventId id, List<StoredState> states) {
        return "held by %s, published at %s, %s"
                .formatted(
                        registry.holder(id),
                        output.placeOf(id),
                        String.join("; ", states.stream().map(s -> s.describe(id)).toList()));
    }
}
