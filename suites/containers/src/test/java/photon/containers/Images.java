package photon.containers;

import com.github.dockerjava.api.command.LoadImageCallback;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.testcontainers.DockerClientFactory;

/**
 * The images that {@code deploy/image/build.py} and {@code deploy/image/hdfs.py} make. No registry
 * of images has them: they are loaded from their archives, in {@code deploy/dist/target} or where
 * the system property {@code photon.images} says.
 */
public final class Images {
    /** Where the repository is, from the directory in which Maven runs the tests of this module. */
    static final Path REPOSITORY = Path.of("../..").toAbsolutePath().normalize();

    private static final String PROPERTY = "photon.images";
    private static final String KIND = "-hdfs-image.tar";
    private static boolean loaded;

    private Images() {}

    private static Path directory() {
        String given = System.getProperty(PROPERTY, "");
        return given.isEmpty() ? REPOSITORY.resolve("deploy/dist/target") : Path.of(given);
    }

    private static List<Path> archives() throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(directory())) {
            try (DirectoryStream<Path> all =
                    Files.newDirectoryStream(directory(), "photon-*-image.tar")) {
                all.forEach(found::add);
            }
        }
        return found;
    }

    /** What is missing, and how to get it; empty: they are there. */
    public static String missing() {
        try {
            List<Path> found = archives();
            if (found.size() == 2) {
                return "";
            }
            return ("expected the archives of two images in %s, but found %s:"
                            + " mvn -Pdist,hdfs -Dphoton.quick package, then deploy/image/build.py"
                            + " and deploy/image/hdfs.py, make them")
                    .formatted(directory(), found);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /**
     * Loads them into the engine.
     *
     * @return their version, which is their tag
     */
    public static synchronized String load() throws IOException {
        String version = "";
        for (Path archive : archives()) {
            if (!loaded) {
                try (InputStream image = Files.newInputStream(archive)) {
                    // The plain command returns before the engine has them.
                    DockerClientFactory.instance()
                            .client()
                            .loadImageAsyncCmd(image)
                            .exec(new LoadImageCallback())
                            .awaitMessage();
                }
            }
            String name = archive.getFileName().toString();
            if (name.endsWith(KIND)) {
                version = name.substring("photon-".length(), name.length() - KIND.length());
            }
        }
        loaded = true;
        return version.toLowerCase(Locale.ROOT);
    }
}
