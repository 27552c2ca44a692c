package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.cli.Captured;

class DemoCommandTest {
    @ParameterizedTest
    @CsvSource({
        "--kill-workers, expected them with --hdfs alone",
        "--kill-datanode, expected them with --hdfs alone",
        "--hdfs --single-process, expected it without them",
        "--hdfs --kill-datacenter, expected it without them",
        "--hdfs --kill-joiners, --kill-workers kills joiners",
        "--single-process --kill-joiners, which nothing watches",
    })
    void flagsThatDoNotGoTogetherAreRefused(String flags, String why) {
        Captured refused = Captured.run(("demo " + flags).split(" "));
        assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
        assertThat(refused.stderr()).contains(why);
    }
}
