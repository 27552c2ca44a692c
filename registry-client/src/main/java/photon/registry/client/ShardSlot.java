package photon.registry.client;

import java.util.concurrent.Semaphore;
import photon.registry.api.RegistryClient.Shard;

/**
 * What a thread-safe client has of one shard.
 *
 * @param room ids that may still be asked for: taken in the callers' threads, given back in the
 *     loop
 * @param lane used in the loop
 */
record ShardSlot(Shard shard, Semaphore room, CommitLane lane) {}
