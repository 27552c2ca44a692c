package photon.demo.hdfs;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import photon.core.error.ConfigException;

/** Where the servers of HDFS are, which are no part of Photon: the launcher fetches them. */
public final class HdfsJar {
    private static final String NAME = "hadoop-client-minicluster";

    private HdfsJar() {}

    /**
     * @param home of the source tree, or of the unpacked distribution
     * @throws ConfigException if it is not there: says what to do
     */
    public static Path find(Path home) throws IOException {
        Path inSourceTree = home.resolve("demo/hdfs/target/lib");
        Path inDistribution = home.resolve("lib/hdfs");
        for (Path directory : List.of(inSourceTree, inDistribution)) {
            if (Files.isDirectory(directory)) {
                try (DirectoryStream<Path> jars =
                        Files.newDirectoryStream(directory, NAME + "-*.jar")) {
                    for (Path jar : jars) {
                        return jar;
                    }
                }
            }
        }
        throw new ConfigException(
                "--hdfs needs the servers of HDFS, and they are not there. "
                        + (Files.exists(home.resolve("pom.xml"))
                                ? "Start ./photon demo --hdfs, which fetches them, or run mvn -Phdfs -pl demo/hdfs package"
                                : "This distribution does not hold them: put %s-%s.jar (56 MB, Maven Central, group org.apache.hadoop) into %s, and try again"
                                        .formatted(NAME, clientVersion(), inDistribution)));
    }

    /** The servers have to be of the client's version. */
    private static String clientVersion() {
        return org.apache.hadoop.util.VersionInfo.getVersion();
    }
}
