package photon.testbed.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient;
import photon.registry.api.RegistryClient.Commit;
import photon.registry.api.RegistryClient.RemoveResult;
import photon.testbed.history.FenceCall;
import photon.testbed.history.Operation;

/**
 * A client registers anew, as one that has crashed: what its old incarnation has under way is
 * fenced, ids that were given to it lately are removed as a repair does, and others want them.
 */
record StartOver(ChaosTarget site) implements ChaosAction {
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @Override
    public ActionKind kind() {
        return ActionKind.START_OVER;
    }

    @Override
    public String carryOut(Schedule.Planned planned, Moment moment) throws InterruptedException {
        List<ChaosTarget.Joiner> joiners = site.joiners();
        ChaosTarget.Joiner joiner = joiners.get(planned.pick() % joiners.size());
        Incarnation old = joiner.client().incarnation();
        moment.tell("%s, after generation %d".formatted(joiner.slotName(), old.generation()));
        long start = System.nanoTime();
        // It happens somewhere behind the call, even if no answer comes.
        fences(old, start, Operation.NEVER);
        Incarnation next =
                register(site.operator(), site.pipeline(), joiner.slotName(), planned.pick());
        joiner.client().startOver(next);
        site.operator()
                .ask(
                        "a fence in all groups",
                        PATIENCE,
                        known -> known.control().fence(site.pipeline(), old));
        fences(old, start, System.nanoTime());
        List<Commit> lost =
                joiner.lately().take().stream().filter(commit -> commit.token().isOf(old)).toList();
        remove(lost);
        moment.undone();
        joiners.get((planned.pick() + 1) % joiners.size())
                .client()
                .attempt(lost.stream().map(Commit::id).toList());
        return "done";
    }

    private void fences(Incarnation old, long start, long end) {
        site.history().add(new FenceCall(old.slot(), old.generation() + 1, start, end));
    }

    static Incarnation register(Connection connection, UUID pipeline, String slot, int pick)
            throws InterruptedException {
        byte[] nonce = new byte[16];
        new Random(pick ^ System.nanoTime()).nextBytes(nonce);
        String hex = HexFormat.of().formatHex(nonce);
        return connection.ask(
                "a registration",
                PATIENCE,
                known ->
                        known.control()
                                .register(
                                        new ControlClient.Registration(
                                                pipeline,
                                                slot,
                                                hex,
                                                "127.0.0.1:0",
                                                ProcessHandle.current().pid(),
                                                0,
                                                ChaosLayout.PIPELINE,
                                                "chaos"))
                                // It publishes nothing: no boundary shall wait for it.
                                .thenCompose(
                                        registered ->
                                                known.control()
                                                        .renew(pipeline, registered, Long.MAX_VALUE)
                                                        .thenApply(limit -> registered)));
    }

    private void remove(List<Commit> lost) throws InterruptedException {
        if (lost.isEmpty()) {
            return;
        }
        long start = System.nanoTime();
        List<RemoveResult> results = null;
        try {
            results =
                    site.operator()
                            .ask(
                                    "a remove",
                                    PATIENCE,
                                    known -> known.registry().thenCompose(ids -> ids.remove(lost)));
        } finally {
            record(lost, results, start);
        }
    }

    /**
     * @param results null: no answer came, and any of them may be carried out yet
     */
    private void record(List<Commit> lost, @Nullable List<RemoveResult> results, long start) {
        long end = results == null ? Operation.NEVER : System.nanoTime();
        List<Operation> removed = new ArrayList<>();
        for (int i = 0; i < lost.size(); i++) {
            Commit commit = lost.get(i);
            removed.add(
                    new Operation(
                            commit.id(),
                            Operation.Kind.REMOVE,
                            commit.token(),
                            results == null ? Operation.Result.UNKNOWN : result(results.get(i)),
                            null,
                            start,
                            end));
        }
        site.history().add(removed);
    }

    private static Operation.Result result(RemoveResult result) {
        return switch (result) {
            case REMOVED -> Operation.Result.REMOVED;
            case NOT_FENCED -> Operation.Result.NOT_FENCED;
            case ID_TOO_OLD -> Operation.Result.TOO_OLD;
        };
    }
}
