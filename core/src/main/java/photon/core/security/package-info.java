/**
 * Certificates: where they are, whom they are for, and what that lets its holder do. Start at
 * {@link photon.core.security.TlsFiles} and {@link photon.core.security.Permissions}.
 */
@NullMarked
package photon.core.security;

import org.jspecify.annotations.NullMarked;
