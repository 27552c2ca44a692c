/**
 * What dispatchers and verifiers ask of a joiner. Start at {@link
 * photon.joiner.service.JoinService}.
 */
@NullMarked
package photon.joiner.service;

import org.jspecify.annotations.NullMarked;
