package photon.simulation.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What Raft promises holds in worlds full of trouble, and what it does not promise happens. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SimulatedClusterTest {
    private static final int SEEDS = 25;

    private long committedLater;
    private long unknown;
    private long restored;
    private long installed;
    private long compared;
    private long unknownApplied;
    private long unknownDropped;
    private long notSubmitted;
    private long barriers;
    private long barriersFailed;
    private long staleReads;

    @BeforeAll
    void worldsOfTrouble() {
        for (int seed = 0; seed < SEEDS; seed++) {
            TroubledCluster world = new TroubledCluster(seed);
            world.run(Duration.ofMinutes(4));
            world.settle();
            assertThat(world.violations).as("seed %s", seed).isEmpty();
            // What was answered stays, what was refused never comes.
            assertThat(world.applied()).as("seed %s", seed).containsAll(world.answered);
            assertThat(world.applied())
                    .as("seed %s", seed)
                    .doesNotContainAnyElementsOf(world.refused);
            Counts counts = world.cluster.counts();
            committedLater += counts.entriesCommittedAfterDeposed();
            unknown += counts.unknownSubmits();
            restored += counts.snapshotsRestored();
            installed += counts.snapshotsInstalled();
            compared += counts.statesCompared();
            unknownApplied += world.unknown.stream().filter(world.applied()::contains).count();
            unknownDropped +=
                    world.unknown.stream().filter(u -> !world.applied().contains(u)).count();
            notSubmitted += world.refused.size();
            barriers += world.barriers;
            barriersFailed += world.barriersFailed;
            staleReads += world.staleReads;
            assertThat(counts.elections()).isGreaterThan(1);
            assertThat(world.answered).hasSizeGreaterThan(50);
        }
    }

    @Test
    void entriesCommitAfterTheirLeaderWasDeposedAndOthersNever() {
        assertThat(committedLater).isGreaterThan(SEEDS);
        assertThat(unknown).isGreaterThan(SEEDS);
        assertThat(unknownApplied).isPositive();
        assertThat(unknownDropped).isPositive();
        assertThat(notSubmitted).isPositive();
    }

    @Test
    void replicasComeBackFromSnapshotsAndAgree() {
        assertThat(restored).isGreaterThan(SEEDS);
        assertThat(installed).isPositive();
        assertThat(compared).isGreaterThan(10L * SEEDS);
    }

    @Test
    void aReadBehindABarrierIsNeverStaleAndOthersAre() {
        // That none behind a barrier was, each world has checked as it happened.
        assertThat(barriers).isGreaterThan(10L * SEEDS);
        assertThat(barriersFailed).isPositive();
        assertThat(staleReads).isPositive();
    }

    @Test
    void theSameSeedIsTheSameWorld() {
        assertThat(hash(7)).isEqualTo(hash(7)).isNotEqualTo(hash(8));
    }

    private static long hash(long seed) {
        TroubledCluster world = new TroubledCluster(seed);
        world.run(Duration.ofMinutes(1));
        return world.timeline.trace().hash();
    }
}
