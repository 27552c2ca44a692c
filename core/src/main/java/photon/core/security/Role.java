package photon.core.security;

import java.util.Locale;

/** What the holder of a certificate is. */
public enum Role {
    /** A process that {@code photon run} starts, of any kind. */
    DAEMON,
    /** A person, or a script of one, that changes a registry and looks at it. */
    OPERATOR,
    /** Looks at a registry. */
    VIEWER,
    /** An adapter that joiners call: calls nobody. */
    ADAPTER;

    /** As in a certificate and on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
