package photon.testbed.chaos;

import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import photon.registry.api.ReshardClient;

/** Another number of shards from a moment on that comes soon; or not, after all. */
final class ReshardAction implements ChaosAction {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int BEGINS_MAX = 5;

    /** Alone, 2 shards become 8 and then 4, as often as there is time. */
    private static final int UP_ONLY = 8;

    private static final int DOWN_ONLY = 4;

    /** Alone, as somebody does it who is in no hurry: the new groups are there long before. */
    private static final long AHEAD_MILLIS_ONLY = 20_000;

    /** Old epochs' among them; each is a replica in each process, and processes share a laptop. */
    private static final int GROUPS_MANY = 14;

    private final ActionKind kind;
    private final ChaosTarget site;

    /** Shared by those of both kinds. */
    private final Turn turn;

    private long startMicros;

    /** Who knows what comes next: more shards, or fewer. Used in one category. */
    static final class Turn {
        private boolean down;
        private long mapVersion = 1;
    }

    /**
     * @param kind to its end, or cancelled
     */
    ReshardAction(ActionKind kind, ChaosTarget site, Turn turn) {
        this.kind = kind;
        this.site = site;
        this.turn = turn;
    }

    @Override
    public ActionKind kind() {
        return kind;
    }

    @Override
    public String carryOut(Schedule.Planned planned, Moment moment) throws InterruptedException {
        int pick = planned.pick();
        int shards = shards(pick);
        // Less than an outage takes, sometimes: then the attempt may come too late.
        long ahead = site.only() ? AHEAD_MILLIS_ONLY : 1_000 + pick % 4 * 1_000L;
        moment.tell("%d shards, %d ms ahead".formatted(shards, ahead));
        ReshardClient.Begun begun = begin(shards, ahead, pick);
        if (begun.isRefused()) {
            moment.undone();
            return "refused";
        }
        long start = startMicros;
        ReshardClient.Result result = end(begun, pick);
        moment.undone();
        if (result.end() != ReshardClient.End.COMMITTED) {
            return result.end().name().toLowerCase(Locale.ROOT);
        }
        turn.mapVersion = result.mapVersion();
        ChaosTarget.await(
                "an id of the new epoch to be accepted",
                () -> site.history().newestAcceptedMicros() >= start);
        String way = turn.down ? "down" : "up";
        turn.down = !turn.down;
        return way;
    }

    private int shards(int pick) throws InterruptedException {
        if (site.only()) {
            return turn.down ? DOWN_ONLY : UP_ONLY;
        }
        int groups = site.operator().describe(PATIENCE).map().shards().size();
        return turn.down || groups > GROUPS_MANY ? 1 + pick % 3 : 4 + pick % 4;
    }

    /** The map may have another version than ours: epochs are dropped, too. */
    private ReshardClient.Begun begin(int shards, long aheadMillis, int pick)
            throws InterruptedException {
        byte[] nonce = new byte[16];
        new Random(pick ^ System.nanoTime()).nextBytes(nonce);
        String hex = HexFormat.of().formatHex(nonce);
        ReshardClient.Begun begun = new ReshardClient.Begun(0, 0, 0, 0, 0, "");
        for (int i = 0; i < BEGINS_MAX && begun.isRefused(); i++) {
            startMicros = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis() + aheadMillis);
            ReshardClient.Reshard wanted =
                    new ReshardClient.Reshard(
                            site.pipeline(), turn.mapVersion, shards, startMicros, hex);
            begun =
                    site.operator()
                            .ask(
                                    "a reshard's begin",
                                    PATIENCE,
                                    known -> known.reshards().begin(wanted));
            turn.mapVersion = begun.mapVersion();
        }
        return begun;
    }

    private ReshardClient.Result end(ReshardClient.Begun begun, int pick)
            throws InterruptedException {
        if (kind == ActionKind.RESHARD_CANCEL) {
            Thread.sleep(pick % 3 * 20L);
            return site.operator()
                    .ask(
                            "a reshard's cancel",
                            PATIENCE,
                            known -> known.reshards().cancel(site.pipeline(), begun.attempt()));
        }
        return site.operator()
                .ask(
                        "a reshard's decision",
                        PATIENCE,
                        known -> known.reshards().await(site.pipeline(), begun.attempt()));
    }
}
