/**
 * Which requests share an entry of the log. Start at {@link photon.idregistry.batch.CommitBatcher}.
 * It decides in its event loop and knows the log only as {@link
 * photon.idregistry.replicated.ReplicatedLog}.
 */
@NullMarked
package photon.idregistry.batch;

import org.jspecify.annotations.NullMarked;
