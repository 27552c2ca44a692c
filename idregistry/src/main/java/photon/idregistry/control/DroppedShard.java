package photon.idregistry.control;

import photon.registry.api.ShardMap;

/**
 * A shard that was dropped.
 *
 * @param endMicros all its ids are below, and so are too old
 * @param map the pipeline's as it stands
 * @param lost it was made behind the backup from which the registry was restored; or else after all
 *     that this replica has applied: only who has applied what is committed by now can tell
 */
public record DroppedShard(long endMicros, ShardMap map, boolean lost) {}
