package photon.demo.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.HadoopFileStore;

class CarriedLogsTest {
    private static final Path ROOT = Path.of("/generated");

    @TempDir Path directory;

    private CarriedLogs logs(String... targets) throws IOException {
        for (String target : targets) {
            Files.createDirectories(directory.resolve(target).resolve("foreign"));
        }
        return new CarriedLogs(
                new HadoopFileStore(),
                ROOT,
                List.of(targets).stream().map(t -> directory.resolve(t).toString()).toList());
    }

    private static void write(AppendFile file, String text) throws IOException {
        byte[] bytes = ("  " + text).getBytes(UTF_8);
        file.write(bytes, 2, bytes.length - 2);
    }

    @Test
    void eachFileSystemGetsAllOfEachLogUnderItsLastName() throws IOException {
        try (CarriedLogs logs = logs("east", "west")) {
            Path place = ROOT.resolve("foreign/p0.log");
            AppendFile first = logs.create(place);
            write(first, "one\n");
            first.flush();
            write(first, "two\n");
            assertThat(first.position()).isEqualTo(8);
            first.close();
            logs.rename(place, ROOT.resolve("foreign/p0.log.000000"));
            AppendFile second = logs.create(place);
            write(second, "three\n");
            second.close();
            logs.finish();
        }
        for (String target : List.of("east", "west")) {
            Path foreign = directory.resolve(target).resolve("foreign");
            assertThat(foreign.resolve("p0.log.000000")).hasContent("one\ntwo\n");
            assertThat(foreign.resolve("p0.log")).hasContent("three\n");
        }
    }

    @Test
    void aFileSystemThatTakesNothingIsToldByName() throws IOException {
        try (CarriedLogs logs = logs("east", "west")) {
            Files.delete(directory.resolve("west/foreign"));
            AppendFile file = logs.create(ROOT.resolve("foreign/p0.log"));
            write(file, "one\n");
            file.close();
            assertThatThrownBy(logs::finish)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Expected " + directory.resolve("west"));
            assertThat(directory.resolve("east/foreign/p0.log")).hasContent("one\n");
        }
    }
}
