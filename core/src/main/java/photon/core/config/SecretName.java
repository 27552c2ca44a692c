package photon.core.config;

import java.util.regex.Pattern;

/**
 * Tells names of settings whose values are secrets, among those that Photon does not know: settings
 * of Hadoop and of adapters. A name that goes on behind the secret is of something else: of a file
 * that has it, of the class that provides it, or of how long it lives.
 */
final class SecretName {
    private static final Pattern SECRET =
            Pattern.compile(
                    "(?i).*(password|passwd|passphrase|secret|token|credentials?|\\.pass"
                            + "|(secret|api|access|private)[._-]?key"
                            + "|account\\.key(\\..*)?|client\\.secret\\..*)");

    /** Hadoop puts the name of an account or a container behind the setting, or into it. */
    private static final Pattern OF_AN_AZURE_ACCOUNT =
            Pattern.compile(
                    "(?i)fs\\.azure\\.(sas\\.fixed\\.token\\..*|sas\\.[^.]+\\.[^.]+\\.blob\\..*"
                            + "|.*\\.user\\.password\\..*|.*\\.refresh\\.token\\.(?!endpoint).*)");

    /** The id of a key, which others may know, and switches. */
    private static final Pattern NO_SECRET =
            Pattern.compile("(?i)fs\\.s3a\\.(bucket\\..+\\.)?access\\.key|.*\\.enabled?\\..*");

    private SecretName() {}

    static boolean isOne(String name) {
        return (SECRET.matcher(name).matches() || OF_AN_AZURE_ACCOUNT.matcher(name).matches())
                && !NO_SECRET.matcher(name).matches();
    }
}
