package photon.core.config;

import java.util.Map;
import java.util.Optional;

/**
 * How file systems that a URI names are reached.
 *
 * @param settings Hadoop's own keys, which come before those of its configuration files
 * @param login empty: as the user of this process, without a password
 */
public record HadoopConfig(Map<String, String> settings, Optional<Login> login) {
    /** Hadoop's configuration files alone. */
    public static final HadoopConfig NONE = new HadoopConfig(Map.of(), Optional.empty());

    public HadoopConfig {
        settings = Map.copyOf(settings);
    }

    /**
     * A login by Kerberos.
     *
     * @param principal such as {@code photon/host@REALM}
     * @param keytab the file with its keys
     */
    public record Login(String principal, String keytab) {}
}
