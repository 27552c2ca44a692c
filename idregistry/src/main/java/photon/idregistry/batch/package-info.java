/**
 * Which requests share an entry of the log, and which shard's entry goes next. Start at {@link
 * photon.idregistry.batch.CommitBatcher}; {@link photon.idregistry.batch.FairShares} divides a
 * server among pipelines. It decides in its event loop and knows the log only as {@link
 * photon.idregistry.replicated.ReplicatedLog}.
 */
@NullMarked
package photon.idregistry.batch;

import org.jspecify.annotations.NullMarked;
