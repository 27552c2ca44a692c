package photon.testbed.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;
import photon.testbed.history.FenceCall;
import photon.testbed.history.Operation;

/**
 * A right history across two reshards, with a boundary that has passed the first epoch; and what is
 * found when one thing in it is wrong.
 */
class HistorySearchTest {
    private static final long SECOND_EPOCH = 1_000;
    private static final long THIRD_EPOCH = 2_000;
    private static final long BOUNDARY = 1_100;
    private static final long NOW = 1_000_000;
    private static final CommitToken A = new CommitToken(1, 1, 1);
    private static final CommitToken B = new CommitToken(2, 1, 1);
    private static final EventId OLD = id(500);
    private static final EventId SECOND = id(1_500);
    private static final EventId THIRD = id(2_500);

    private final ShardMap map =
            ShardMap.initial(2).withEpoch(SECOND_EPOCH, 4).withEpoch(THIRD_EPOCH, 3);
    private final List<Operation> operations = new ArrayList<>();
    private final List<FenceCall> fences = new ArrayList<>();
    private final Map<Shard, Map<EventId, CommitToken>> held = new HashMap<>();

    private static EventId id(long micros) {
        return new EventId(micros, 1, 2, 3);
    }

    private Operation asked(
            EventId id,
            Operation.Kind kind,
            @Nullable CommitToken token,
            Operation.Result result,
            @Nullable CommitToken holder,
            long start) {
        long end = result == Operation.Result.UNKNOWN ? Operation.NEVER : start + 10;
        Operation operation = new Operation(id, kind, token, result, holder, start, end);
        operations.add(operation);
        return operation;
    }

    @BeforeEach
    void rightAsItWas() {
        asked(OLD, Operation.Kind.COMMIT, A, Operation.Result.ACCEPTED, null, 0);
        asked(OLD, Operation.Kind.COMMIT, B, Operation.Result.TAKEN, A, 20);
        asked(SECOND, Operation.Kind.COMMIT, A, Operation.Result.UNKNOWN, null, 30);
        asked(SECOND, Operation.Kind.COMMIT, B, Operation.Result.TAKEN, A, 40);
        asked(THIRD, Operation.Kind.COMMIT, B, Operation.Result.ACCEPTED, null, 60);
        asked(
                OLD,
                Operation.Kind.COMMIT,
                new CommitToken(3, 1, 1),
                Operation.Result.TOO_OLD,
                null,
                80);
        asked(SECOND, Operation.Kind.LOOKUP, null, Operation.Result.HELD, A, 90);
        held.put(map.owner(SECOND), new HashMap<>(Map.of(SECOND, A)));
        held.put(map.owner(THIRD), new HashMap<>(Map.of(THIRD, B)));
    }

    /** The first epoch is dropped. */
    private HistorySearch.Findings search() {
        Map<Shard, HistorySearch.Last> last = new HashMap<>();
        for (Shard shard : map.withoutFirstEpoch().shards()) {
            last.put(shard, new HistorySearch.Last(held.getOrDefault(shard, Map.of()), BOUNDARY));
        }
        return HistorySearch.search(operations, fences, map, last, NOW);
    }

    private Map<EventId, CommitToken> heldBy(Shard shard) {
        return held.computeIfAbsent(shard, s -> new HashMap<>());
    }

    private void findsOne(String words) {
        HistorySearch.Findings findings = search();
        assertThat(findings.violations()).isEqualTo(1);
        assertThat(findings.told()).singleElement().asString().contains(words);
    }

    @Test
    void aRightHistoryIsFoundRight() {
        HistorySearch.Findings findings = search();
        assertThat(findings.told()).isEmpty();
        assertThat(findings.violations()).isZero();
        assertThat(findings.held()).isEqualTo(2);
    }

    /** As if the old epoch's group had accepted it, and then the new one's. */
    @Test
    void anIdThatIsAcceptedOnBothSidesOfAReshardIsFound() {
        asked(THIRD, Operation.Kind.COMMIT, A, Operation.Result.ACCEPTED, null, 200);
        findsOne(THIRD.toString());
    }

    @Test
    void anIdThatWasAcceptedAndIsHeldByAnotherIsFound() {
        heldBy(map.owner(SECOND)).put(SECOND, B);
        findsOne(SECOND.toString());
    }

    @Test
    void anAcceptedIdThatNobodyHoldsInTheEndIsFound() {
        heldBy(map.owner(THIRD)).remove(THIRD);
        findsOne(THIRD.toString());
    }

    @Test
    void anAcceptedIdOfAShardThatIsEmptyInTheEndIsFound() {
        held.remove(map.owner(THIRD));
        findsOne(THIRD.toString());
    }

    /** Of each id of the shard that one of the two answers speaks of. */
    @Test
    void anAcceptanceBelowTheBoundaryIsFound() {
        asked(id(700), Operation.Kind.COMMIT, B, Operation.Result.TOO_OLD, null, 300);
        asked(
                sameShardAs(id(700), 400),
                Operation.Kind.COMMIT,
                A,
                Operation.Result.ACCEPTED,
                null,
                400);
        HistorySearch.Findings findings = search();
        assertThat(findings.violations()).isBetween(1L, 3L);
        assertThat(findings.told()).anyMatch(told -> told.contains("boundary seen b"));
    }

    /** An older id that the same shard owned. */
    private EventId sameShardAs(EventId id, long fromMicros) {
        long micros = fromMicros;
        while (!map.owner(id(micros)).equals(map.owner(id))) {
            micros++;
        }
        return id(micros);
    }

    @Test
    void anIdThatIsHeldBelowTheBoundaryIsFound() {
        EventId gone = id(BOUNDARY - 1);
        asked(gone, Operation.Kind.COMMIT, A, Operation.Result.ACCEPTED, null, 100);
        asked(gone, Operation.Kind.COMMIT, B, Operation.Result.TOO_OLD, null, 200);
        heldBy(map.owner(gone)).put(gone, A);
        findsOne(gone.toString());
    }

    @Test
    void aFencedTokenThatIsAcceptedIsFound() {
        fences.add(new FenceCall(A.slot(), A.generation() + 1, 300, 310));
        CommitToken late = new CommitToken(A.slot(), A.generation(), 9);
        EventId id = id(2_700);
        asked(id, Operation.Kind.COMMIT, late, Operation.Result.ACCEPTED, null, 400);
        heldBy(map.owner(id)).put(id, late);
        findsOne(id.toString());
    }

    @Test
    void anIdThatNobodyAskedForIsFound() {
        heldBy(map.owner(THIRD)).put(sameShardAs(THIRD, 3_000), B);
        findsOne("which nobody asked for");
    }
}
