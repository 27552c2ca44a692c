package photon.core.config;

import java.util.regex.Pattern;

/**
 * Tells names of settings whose values are secrets, among those that Photon does not know: settings
 * of Hadoop and of adapters. A name that ends in {@code file} or {@code path} is of a place.
 */
final class SecretName {
    private static final Pattern SECRET =
            Pattern.compile(
                    "(?i).*(password|passwd|passphrase|secret|secret[._-]?key|session[._-]?token|\\.pass"
                            + "|account\\.key(\\..*)?|client\\.secret\\..*)");

    private SecretName() {}

    static boolean isOne(String name) {
        return SECRET.matcher(name).matches();
    }
}
