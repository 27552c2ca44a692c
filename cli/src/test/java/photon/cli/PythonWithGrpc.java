package photon.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The Python that the example of an adapter needs. */
public final class PythonWithGrpc {
    /** Why a test is skipped. */
    public static final String MISSING =
            "there is no python3 with gRPC: apt-get install python3-grpcio python3-protobuf";

    private PythonWithGrpc() {}

    /** Empty: there is none. */
    public static Optional<String> find() throws IOException, InterruptedException {
        for (String python : List.of("python3", "/usr/bin/python3")) {
            Process process =
                    new ProcessBuilder(python, "-c", "import grpc, google.protobuf")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (process.waitFor() == 0) {
                return Optional.of(python);
            }
        }
        return Optional.empty();
    }

    /** The folder of the example. */
    public static Path example() {
        return Repository.root().resolve("docs/examples/adapters/python");
    }
}
