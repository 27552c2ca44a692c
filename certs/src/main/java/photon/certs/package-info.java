/** Makes keys and certificates. Start at {@link photon.certs.CertificateAuthority}. */
@NullMarked
package photon.certs;

import org.jspecify.annotations.NullMarked;
