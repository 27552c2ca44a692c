package photon.idregistry.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FollowerNeedsTest {
    private static final long SILENT = FollowerNeeds.SILENT_MAX.toMillis() + 1;

    private static long purgeable(long[] next, long... silentMillis) {
        return FollowerNeeds.purgeable(100, 40, next, silentMillis);
    }

    @Test
    void theLogBehindASnapshotStaysForWhoIsSentIt() {
        assertThat(purgeable(new long[] {7, 120}, 5, 5)).isEqualTo(40);
    }

    @Test
    void whoHasTheSnapshotNeedsWhatItLacksStill() {
        assertThat(purgeable(new long[] {61, 120}, 5, 5)).isEqualTo(60);
        assertThat(purgeable(new long[] {101, 120}, 5, 5)).isEqualTo(100);
    }

    /** It is sent a newer snapshot when it comes back. */
    @Test
    void whoIsSilentKeepsNothing() {
        assertThat(purgeable(new long[] {61, 120}, SILENT, 5)).isEqualTo(100);
    }

    /** The disk may take minutes for a large snapshot, and no call is answered until then. */
    @Test
    void whoIsSilentWhileASnapshotIsSentToItMayBeSyncingIt() {
        assertThat(purgeable(new long[] {7, 120}, SILENT, 5)).isEqualTo(40);
    }

    @Test
    void whileNothingIsKnownTheLogStays() {
        assertThat(FollowerNeeds.purgeable(100, 40, null, new long[] {5})).isEqualTo(40);
        assertThat(purgeable(new long[] {120}, 5, 5)).isEqualTo(40);
    }
}
