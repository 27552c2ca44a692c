package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GlobsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /logs/*.gz               | /logs
                    /logs/clicks-*.gz        | /logs
                    /logs/a/b/clicks.log     | /logs/a/b
                    /logs/*/clicks.log       | /logs
                    /logs/{a,b}/clicks.log   | /logs
                    /logs/day-[0-9]/c.log    | /logs
                    /logs/a\\*/c.log         | /logs
                    /*.log                   | /
                    /clicks.log              | /
                    hdfs://nn/logs/d*/c.log  | hdfs://nn/logs
                    hdfs://nn:8020/*.log     | hdfs://nn:8020/
                    """)
    void theDirectoryBeforeTheFirstWildcard(String glob, String directory) {
        assertThat(Globs.fixedDirectory(glob)).isEqualTo(directory);
    }
}
