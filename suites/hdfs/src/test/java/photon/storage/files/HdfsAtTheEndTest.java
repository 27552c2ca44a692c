package photon.storage.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ShutdownHookManager;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore.AppendFile;

/** A process that was told to end still writes what it has. */
class HdfsAtTheEndTest {
    private static final String RECORD = "the last record\n";

    /** The process: all that it does is done at its end. */
    public static final class AtItsEnd {
        private AtItsEnd() {}

        public static void main(String[] arguments) throws IOException {
            AppendFile file = Hdfs.files().create(arguments[0]);
            ShutdownHookManager.get()
                    // Behind Hadoop's own, which close what they may.
                    .addShutdownHook(
                            () -> writeAndHalt(file), FileSystem.SHUTDOWN_HOOK_PRIORITY - 1);
        }

        private static void writeAndHalt(AppendFile file) {
            try {
                file.write(RECORD.getBytes(UTF_8), 0, RECORD.length());
                file.sync();
                file.close();
            } catch (IOException e) {
                System.err.println(e);
                Runtime.getRuntime().halt(1);
            }
        }
    }

    @Test
    void whatIsOpenCanBeWrittenUntilTheProcessCloses() throws Exception {
        String path = Hdfs.newDirectory() + "/last.log";
        Process process =
                new ProcessBuilder(
                                List.of(
                                        System.getProperty("java.home") + "/bin/java",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        AtItsEnd.class.getName(),
                                        path))
                        .redirectErrorStream(true)
                        .start();
        String said = process.inputReader(UTF_8).lines().collect(Collectors.joining("\n"));
        assertThat(process.waitFor()).as(said).isZero();
        try (var in = Hdfs.client().open(new Path(path))) {
            assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(RECORD);
        }
    }
}
