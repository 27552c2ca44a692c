package photon.joiner.adapters;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import photon.core.config.PipelineConfig;

/**
 * Which adapter it is: two with one fingerprint are the same class of the same jars with the same
 * options.
 *
 * @param adapterClass its name, or {@code merge}
 * @param version as its jar's manifest says ({@code Implementation-Version}); empty: it does not
 * @param optionsSha256 hex, of all options; they may hold secrets, so they are not told
 * @param jars in their order
 */
public record AdapterFingerprint(
        String adapterClass, String version, String optionsSha256, List<Jar> jars) {
    private static final int SHORT_DIGITS = 16;

    public AdapterFingerprint {
        jars = List.copyOf(jars);
    }

    /**
     * @param sha256 hex, of the file
     */
    public record Jar(String path, String sha256) {}

    static AdapterFingerprint of(PipelineConfig.Adapter config, String version, List<Jar> jars) {
        return new AdapterFingerprint(
                config.type(), version, optionsSha256(config.options()), jars);
    }

    /** Hex. */
    public static String optionsSha256(Map<String, String> options) {
        Hasher hasher = Hashing.sha256().newHasher();
        for (Map.Entry<String, String> option : new TreeMap<>(options).entrySet()) {
            put(hasher, option.getKey());
            put(hasher, option.getValue());
        }
        return hasher.hash().toString();
    }

    /** True: it is a remote adapter that has not greeted yet. */
    public boolean isUnknown() {
        return adapterClass.equals(PipelineConfig.Adapter.REMOTE);
    }

    /** The whole in 16 hex digits. Where its jars lie does not count. */
    public String digest() {
        Hasher all = Hashing.sha256().newHasher();
        put(all, adapterClass);
        put(all, version);
        put(all, optionsSha256);
        jars.forEach(jar -> put(all, jar.sha256()));
        return all.hash().toString().substring(0, SHORT_DIGITS);
    }

    private static void put(Hasher into, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        into.putInt(bytes.length).putBytes(bytes);
    }

    /** For people. */
    public String text() {
        return version.isEmpty()
                ? "%s (%s)".formatted(adapterClass, digest())
                : "%s %s (%s)".formatted(adapterClass, version, digest());
    }
}
