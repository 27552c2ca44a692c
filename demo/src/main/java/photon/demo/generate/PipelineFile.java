package photon.demo.generate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configuration that joins the generated logs. */
final class PipelineFile {
    private static final String TEXT =
            """
            # Joins the logs beside this file; answer.json says what must come of it.
            #   ./photon local --config photon.yaml --until-idle 5s
            pipeline: generated
            datacenters: [east, west]
            retention: unlimited
            primary:
              paths: ["primary/*.log*"]
              format: {type: %1$s}
              id: %2$s
            foreign:
              paths: ["foreign/*.log*"]
              format: {type: %1$s}
              id: %2$s
              primaryId: %3$s
            """;

    private PipelineFile() {}

    static void write(Path directory, GeneratorSettings.Format format) throws IOException {
        boolean framed = format == GeneratorSettings.Format.FRAMED;
        Files.writeString(
                directory.resolve("photon.yaml"),
                TEXT.formatted(
                        format.text(),
                        framed
                                ? "native"
                                : "{server: server, process: process, timestamp: timestamp}",
                        framed
                                ? "native"
                                : "{server: primary.server, process: primary.process, timestamp: primary.timestamp}"));
    }
}
