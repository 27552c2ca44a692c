/**
 * What the other modules see of the IdRegistry. Start at {@link
 * photon.registry.api.RegistryClient}. Answers are those of docs/protocol.md section 3; only
 * definite ones come out of here.
 */
@NullMarked
package photon.registry.api;

import org.jspecify.annotations.NullMarked;
