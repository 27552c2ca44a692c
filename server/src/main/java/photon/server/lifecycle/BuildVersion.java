package photon.server.lifecycle;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** What this build is, as the build itself has written it down (server/pom.xml). */
public final class BuildVersion {
    private static final String FILE = "build.properties";
    private static final Properties BUILD = read();

    private BuildVersion() {}

    /** Such as 1.0.0. */
    public static String text() {
        return BUILD.getProperty("version", "unknown");
    }

    /**
     * The commit that was built, 40 hex digits, with "-dirty" behind it if files had been changed;
     * "unknown" if it was built from files that came without a repository.
     */
    public static String commit() {
        return BUILD.getProperty("commit", "unknown");
    }

    private static Properties read() {
        Properties build = new Properties();
        try (InputStream in = BuildVersion.class.getResourceAsStream(FILE)) {
            if (in != null) {
                build.load(in);
            }
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + FILE + " of this build", e);
        }
        return build;
    }
}
