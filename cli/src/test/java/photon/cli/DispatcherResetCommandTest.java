package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.dispatcher.rules.ResetPlan;
import photon.dispatcher.rules.ResetPlan.Fate;
import photon.dispatcher.rules.ResetPlan.FileReset;
import photon.dispatcher.rules.ResetTarget;
import photon.dispatcher.state.StateDirectory;
import photon.server.resets.CountedEvents;
import photon.server.resets.PartitionPlan;
import photon.server.resets.ResetSession.Planned;
import photon.storage.tail.Checkpoint;
import photon.storage.tail.FilePosition;

/** The plan as it is printed, and what is refused before anything is asked. */
class DispatcherResetCommandTest {
    private static final UUID STATE = new UUID(0, 7);
    private static final long BOUNDARY = Instant.parse("2026-11-19T10:11:12Z").toEpochMilli();

    private static FileReset file(String name, long from, long to, Fate fate) {
        FilePosition before = new FilePosition("/logs/" + name, name, 5, "aa", from);
        FilePosition after = new FilePosition("/logs/" + name, name, 5, "aa", to);
        return new FileReset(before, after, fate);
    }

    private static PartitionPlan partition(
            int number, Optional<Instant> asOf, long waiting, FileReset... files) {
        return new PartitionPlan(
                number,
                new StateDirectory("/state/partition-" + number),
                new Checkpoint(1, List.of()),
                new ResetPlan(List.of(files), List.of()),
                asOf,
                waiting < 0 ? OptionalLong.empty() : OptionalLong.of(waiting));
    }

    private static String text(
            ResetTarget target,
            Optional<String> glob,
            CountedEvents count,
            long boundaryMicros,
            PartitionPlan... partitions) {
        return new ResetText(
                        "east",
                        STATE,
                        new Planned(target, glob, List.of(partitions), count, boundaryMicros))
                .plan();
    }

    @Test
    void aPlanToReadAgainSaysHowMuchAndWhatOfItIsKnownAndTooOld() {
        String plan =
                text(
                        ResetTarget.EARLIEST,
                        Optional.of("/logs/*.csv"),
                        new CountedEvents(7_340_032, 36_600, false, 10_000, 9_921, 4),
                        BOUNDARY * 1_000,
                        partition(
                                0,
                                Optional.empty(),
                                2,
                                file("a.csv", 7_340_032, 0, Fate.BACK),
                                file("b.csv", 0, 0, Fate.STAYS),
                                file("c.csv", 5, 5, Fate.TOO_OLD),
                                file("d.csv", 5, 5, Fate.AWAY)));
        assertThat(plan)
                .isEqualTo(
                        """
                        dispatcher of east, state 00000000-0000-0000-0000-000000000007, reset to earliest of /logs/*.csv
                          read again: 1 logs, 7,340,032 bytes, about 36,600 events
                          of 10,000 events that were looked up, the registry drops these: 9,921; older than the boundary (2026-11-19T10:11:12Z), refused: 4; tried again, and joined if they can be: 75
                          not changed: 1 logs, there already
                          not changed: 1 logs, refused: all their events are older than the boundary (2026-11-19T10:11:12Z)
                          not changed: 1 logs, refused: not there now
                          journal: 2 rows wait, and stay
                          back    /logs/a.csv from 7,340,032 to 0
                        """);
    }

    @Test
    void aPlanToATimeSaysForEachPartitionFromWhen() {
        String plan =
                text(
                        ResetTarget.parse("2026-11-26T10:00:00Z").orElseThrow(),
                        Optional.empty(),
                        new CountedEvents(10, 1, true, 1, 1, 0),
                        Long.MIN_VALUE,
                        partition(
                                0,
                                Optional.of(Instant.parse("2026-11-26T09:58:41.5Z")),
                                0,
                                file("a.csv", 30, 20, Fate.BACK)),
                        partition(1, Optional.empty(), 3));
        assertThat(plan)
                .isEqualTo(
                        """
                        dispatcher of east, state 00000000-0000-0000-0000-000000000007, reset to 2026-11-26T10:00:00Z
                          read again: 1 logs, 10 bytes, 1 events
                          of 1 events that were looked up, the registry drops these: 1; tried again, and joined if they can be: 0
                          journal: 3 rows wait, and stay
                          partition 0: 1 logs back, 0 forward, 0 rows wait, as of 2026-11-26T09:58:41Z
                          partition 1: 0 logs back, 0 forward, 3 rows wait
                          back    /logs/a.csv from 30 to 20
                        """);
    }

    @Test
    void aPlanToSkipSaysThatItLosesEvents() {
        String plan =
                text(
                        ResetTarget.LATEST,
                        Optional.empty(),
                        new CountedEvents(100, 12, true, 12, 5, 0),
                        Long.MIN_VALUE,
                        partition(0, Optional.empty(), -1, file("a.csv", 0, 100, Fate.FORWARD)));
        assertThat(plan)
                .contains("  journal: rows wait that cannot be counted now, and stay\n")
                .contains("  SKIPPED, unread: 1 logs, 100 bytes, 12 events\n")
                .contains(
                        "the registry has these joined: 5; not joined by this datacenter, ever:"
                                + " 7\n")
                .contains("each skipped event gets an entry in the ledger");
    }

    @Test
    void aTargetThatIsNoneIsRefused() {
        for (String to : List.of("yesterday", "2999-01-01T00:00:00Z")) {
            Captured run = Captured.run("dispatcher", "reset", "--to", to);
            assertThat(run.status()).isEqualTo(2);
            assertThat(run.stderr())
                    .startsWith("photon: --to is '%s'".formatted(to))
                    .contains("expected ");
        }
    }
}
