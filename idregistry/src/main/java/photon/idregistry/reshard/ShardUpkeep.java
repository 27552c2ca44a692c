package photon.idregistry.reshard;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.control.ReshardView;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/**
 * What a shard's leader has to put into its log so that the shard follows the control group. The
 * shard finds out by itself, so that nobody who was to tell it can forget.
 */
public final class ShardUpkeep {
    private ShardUpkeep() {}

    /**
     * What one pipeline's control group had decided at some index, old perhaps. The fences are
     * never older than the map: a table from before the decision could lack a fence that was
     * recorded in between, whose fencer was told the groups of the old map only.
     *
     * @param lowestLive slot to lowest live generation
     * @param lostSlots slots up to this number are of before a restore, and fenced where the table
     *     does not say otherwise; 0: there was none
     */
    public record Decided(
            ShardMap map,
            SortedMap<Integer, Integer> lowestLive,
            ReshardView reshards,
            int lostSlots) {

        public static Decided of(ControlState control, PipelineView pipeline) {
            return new Decided(
                    pipeline.map(),
                    control.fenceTable(pipeline.uuid()),
                    pipeline.reshards(),
                    control.lostSlots());
        }
    }

    /**
     * The entry that is missing most; null if none is. Each may be applied again, and by any other
     * leader before.
     */
    public static byte @Nullable [] missing(Decided decided, Shard shard, ShardState state) {
        ShardMap installed = state.map();
        if (installed == null && state.lostSlots() < decided.lostSlots()) {
            // Made behind a restore: slots that the lost registry issued are fenced here, too.
            return ShardEntries.restoreHead(
                    decided.map(), shard, decided.lostSlots(), Long.MIN_VALUE, Long.MIN_VALUE);
        }
        if (installed == null || installed.version() < decided.map().version()) {
            return ShardEntries.install(decided.map(), shard, decided.lowestLive());
        }
        for (long attempt : state.preparedAttempts()) {
            if (decided.reshards().isAborted(attempt)) {
                return ShardEntries.abort(attempt, decided.reshards().lowestOpen());
            }
        }
        Map<Integer, Integer> behind = new TreeMap<>(decided.lowestLive());
        behind.entrySet()
                .removeIf(
                        row -> state.fenceTable().getOrDefault(row.getKey(), 0) >= row.getValue());
        return behind.isEmpty() ? null : ShardEntries.fence(behind);
    }
}
