package photon.testbed.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.testbed.history.IdSearch.State;

/**
 * Makes the steps of one id from its operations and from what is known of fences: the registry's
 * rules (docs/protocol.md section 3), written a second time and as shortly as possible.
 *
 * <p>What says nothing is left out, so that the search stays small:
 *
 * <ul>
 *   <li>of operations without an answer by the same token only the first: a commit that comes
 *       second finds its own token there, or, if that was removed, its incarnation fenced, and does
 *       nothing; so does a remove;
 *   <li>stale lookups that found nothing, since there was nothing at first; and of those that found
 *       the same holder all but the first to end.
 * </ul>
 */
final class IdSteps {
    private final List<Operation> operations;
    private final FenceEvidence evidence;
    private final BoundaryEvidence boundary;
    private final Map<CommitToken, Integer> tokens = new HashMap<>();
    private final Map<Incarnation, Integer> incarnations = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();

    private IdSteps(List<Operation> operations, FenceEvidence evidence, BoundaryEvidence boundary) {
        this.operations = operations;
        this.evidence = evidence;
        this.boundary = boundary;
    }

    /**
     * @param operations of one id
     */
    static List<Step> of(
            List<Operation> operations, FenceEvidence evidence, BoundaryEvidence boundary) {
        IdSteps made = new IdSteps(operations, evidence, boundary);
        made.make();
        return made.steps;
    }

    private void make() {
        Map<CommitToken, Operation> doubtfulCommits = new TreeMap<>();
        Map<CommitToken, Operation> doubtfulRemoves = new TreeMap<>();
        Map<CommitToken, Operation> staleFinds = new TreeMap<>();
        for (Operation operation : operations) {
            CommitToken token = operation.token();
            if (operation.result() == Operation.Result.UNKNOWN) {
                if (token != null) {
                    (operation.kind() == Operation.Kind.COMMIT ? doubtfulCommits : doubtfulRemoves)
                            .merge(
                                    token,
                                    operation,
                                    (a, b) -> a.startNanos() <= b.startNanos() ? a : b);
                }
            } else if (operation.kind() == Operation.Kind.STALE_LOOKUP) {
                if (operation.holder() != null) {
                    staleFinds.merge(
                            operation.holder(),
                            operation,
                            (a, b) -> a.endNanos() <= b.endNanos() ? a : b);
                }
            } else {
                add(operation, operation.startNanos());
            }
        }
        doubtfulCommits.values().forEach(o -> add(o, o.startNanos()));
        doubtfulRemoves.values().forEach(o -> add(o, o.startNanos()));
        // The state that it tells of may be any that ever was.
        staleFinds.values().forEach(o -> add(o, Long.MIN_VALUE));
        addFences();
        addBoundary();
    }

    private void add(Operation operation, long startNanos) {
        steps.add(
                new Step(
                        startNanos, operation.endNanos(), effect(operation), operation.toString()));
    }

    private int number(CommitToken token) {
        incarnation(token);
        return tokens.computeIfAbsent(token, t -> tokens.size());
    }

    private int incarnation(CommitToken token) {
        return incarnations.computeIfAbsent(token.incarnation(), i -> incarnations.size());
    }

    private Step.Effect effect(Operation operation) {
        int holder = operation.holder() == null ? State.NOBODY : number(operation.holder());
        if (operation.token() == null) {
            boolean tooOld = operation.result() == Operation.Result.TOO_OLD;
            return state ->
                    allow(state.gone() ? tooOld : state.holder() == holder && !tooOld, state);
        }
        int token = number(operation.token());
        int speaker = incarnation(operation.token());
        Operation.Result result = operation.result();
        boolean unknown = result == Operation.Result.UNKNOWN;
        if (operation.kind() == Operation.Kind.COMMIT) {
            return state -> {
                if (state.isFenced(speaker)) {
                    boolean gone = state.gone() && result == Operation.Result.TOO_OLD;
                    return allow(unknown || gone || result == Operation.Result.FENCED, state);
                }
                if (state.gone()) {
                    return allow(unknown || result == Operation.Result.TOO_OLD, state);
                }
                if (state.holder() == State.NOBODY || state.holder() == token) {
                    return allow(
                            unknown || result == Operation.Result.ACCEPTED, state.heldBy(token));
                }
                return allow(
                        unknown || (result == Operation.Result.TAKEN && state.holder() == holder),
                        state);
            };
        }
        return state -> {
            if (state.gone()) {
                return allow(unknown || result == Operation.Result.TOO_OLD, state);
            }
            if (!state.isFenced(speaker)) {
                return allow(unknown || result == Operation.Result.NOT_FENCED, state);
            }
            return allow(
                    unknown || result == Operation.Result.REMOVED,
                    state.holder() == token ? state.heldBy(State.NOBODY) : state);
        };
    }

    private static @Nullable State allow(boolean answered, State then) {
        return answered ? then : null;
    }

    private void addFences() {
        TreeMap<Integer, SortedSet<Integer>> generations = new TreeMap<>();
        for (Incarnation incarnation : incarnations.keySet()) {
            generations
                    .computeIfAbsent(incarnation.slot(), s -> new TreeSet<>())
                    .add(incarnation.generation());
        }
        generations.forEach(
                (slot, ofSlot) -> {
                    List<Integer> ordered = List.copyOf(ofSlot);
                    long mask = 0;
                    for (int i = 0; i < ordered.size(); i++) {
                        int generation = ordered.get(i);
                        Incarnation incarnation = new Incarnation(slot, generation);
                        int number = Objects.requireNonNull(incarnations.get(incarnation));
                        mask |= 1L << number;
                        int upTo = i + 1 < ordered.size() ? ordered.get(i + 1) : Integer.MAX_VALUE;
                        addFence(slot, generation, upTo, mask);
                        addSightings(incarnation, number);
                    }
                });
    }

    private void addFence(int slot, int generation, int upTo, long mask) {
        FenceEvidence.Span call = evidence.call(slot, generation, upTo);
        if (call != null) {
            steps.add(
                    new Step(
                            call.startNanos(),
                            call.endNanos(),
                            state -> state.fenced(mask),
                            "the fence of %s-%s, called at %,d"
                                    .formatted(slot, generation, call.startNanos())));
        }
    }

    private void addSightings(Incarnation incarnation, int number) {
        Operation live = evidence.lastLive(incarnation);
        if (live != null) {
            steps.add(
                    new Step(
                            live.startNanos(),
                            live.startNanos(),
                            state -> allow(!state.isFenced(number), state),
                            "seen live for id %s: %s".formatted(live.id(), live)));
        }
        Operation fenced = evidence.firstFenced(incarnation);
        if (fenced != null) {
            steps.add(
                    new Step(
                            fenced.endNanos(),
                            fenced.endNanos(),
                            state -> allow(state.isFenced(number), state),
                            "seen fenced for id %s: %s".formatted(fenced.id(), fenced)));
        }
    }

    /** It may pass the id at any moment that no answer, about whatever id, speaks against. */
    private void addBoundary() {
        long micros = operations.get(0).id().micros();
        Operation passed = boundary.firstPassed(micros);
        if (passed == null) {
            return;
        }
        steps.add(
                new Step(
                        Long.MIN_VALUE,
                        Operation.NEVER,
                        State::passed,
                        "the boundary passes the id"));
        steps.add(
                new Step(
                        passed.endNanos(),
                        passed.endNanos(),
                        state -> allow(state.gone(), state),
                        "the boundary seen beyond id %s: %s".formatted(passed.id(), passed)));
        Operation before = boundary.lastBefore(micros);
        if (before != null) {
            steps.add(
                    new Step(
                            before.startNanos(),
                            before.startNanos(),
                            state -> allow(!state.gone(), state),
                            "the boundary seen before id %s: %s".formatted(before.id(), before)));
        }
    }
}
