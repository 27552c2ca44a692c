package photon.core.security;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Who may talk to whom, and how.
 *
 * @param tls the files of {@link Mode#TLS}; empty with the other modes
 */
public record SecurityConfig(Mode mode, Optional<Files> tls) {
    /** How calls travel. */
    public enum Mode {
        /** By TLS 1.3, with a certificate on either side. */
        TLS,
        /** As they are, over any network. */
        PLAINTEXT,
        /** As they are, within this machine. */
        INSECURE_LOOPBACK
    }

    /**
     * PEM files.
     *
     * @param certificate this process's, followed by those between it and an authority
     * @param key the certificate's
     * @param trust the authorities that vouch for peers
     */
    public record Files(Path certificate, Path key, Path trust) {}

    /** Where nothing is said. */
    public static final SecurityConfig DEFAULT =
            new SecurityConfig(Mode.INSECURE_LOOPBACK, Optional.empty());
}
