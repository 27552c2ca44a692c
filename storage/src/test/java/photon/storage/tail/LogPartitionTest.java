package photon.storage.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import photon.storage.files.FileStore.FileInfo;

class LogPartitionTest {
    private static final int COUNT = 8;

    private static int of(String path, String key) {
        FileInfo file = new FileInfo(path, key, 10, false, 0);
        int[] of =
                IntStream.range(0, COUNT)
                        .filter(i -> new LogPartition(i, COUNT).has(file))
                        .toArray();
        assertThat(of).as("a file is in one partition").hasSize(1);
        return of[0];
    }

    @Test
    void eachFileIsInOnePartitionAndAllHaveSome() {
        assertThat(IntStream.range(0, 100).map(i -> of("/logs/" + i, "7:" + i)).distinct())
                .hasSize(COUNT);
    }

    @Test
    void aNewNameOrAnotherMachinesNumberForTheDeviceChangesNothing() {
        for (int i = 0; i < 100; i++) {
            assertThat(of("/logs/b", "8:" + i)).isEqualTo(of("/logs/a", "7:" + i));
        }
    }

    @Test
    void theWholeHasEachFile() {
        assertThat(LogPartition.WHOLE.has(new FileInfo("/a", "7:1", 1, false, 0))).isTrue();
    }
}
