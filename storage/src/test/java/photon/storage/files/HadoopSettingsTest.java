package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.HadoopConfig;

class HadoopSettingsTest {
    private static final String RETRIES = "dfs.client.retry.max.attempts";

    @TempDir Path directory;

    private void site(String file, String key, String value) throws IOException {
        Files.writeString(
                directory.resolve(file),
                "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
                        .formatted(key, value));
    }

    @Test
    void theConfigurationComesBeforeHadoopsFilesAndTheseBeforeItsDefaults() throws IOException {
        site("core-site.xml", "fs.defaultFS", "hdfs://nn1");
        site("hdfs-site.xml", RETRIES, "7");
        Map<String, String> environment = Map.of("HADOOP_CONF_DIR", directory.toString());
        HadoopConfig own = new HadoopConfig(Map.of(RETRIES, "8"), Optional.empty());
        Configuration settings = HadoopSettings.of(own, environment);
        assertThat(settings.get("fs.defaultFS")).isEqualTo("hdfs://nn1");
        assertThat(settings.get(RETRIES)).isEqualTo("8");
        Configuration files = HadoopSettings.of(HadoopConfig.NONE, environment);
        assertThat(files.get(RETRIES)).isEqualTo("7");
        Configuration none = HadoopSettings.of(HadoopConfig.NONE, Map.of());
        assertThat(none.get("fs.defaultFS")).isEqualTo("file:///");
        assertThat(none.get("hadoop.security.authentication")).isEqualTo("simple");
    }

    @Test
    void oneCallDoesNotWaitForMinutesUnlessSomebodyWantsThat() throws IOException {
        String key = "ipc.client.connect.max.retries.on.timeouts";
        assertThat(HadoopSettings.of(HadoopConfig.NONE, Map.of()).get(key)).isEqualTo("1");
        site("core-site.xml", key, "45");
        Map<String, String> environment = Map.of("HADOOP_CONF_DIR", directory.toString());
        assertThat(HadoopSettings.of(HadoopConfig.NONE, environment).get(key)).isEqualTo("45");
        HadoopConfig own = new HadoopConfig(Map.of(key, "3"), Optional.empty());
        assertThat(HadoopSettings.of(own, environment).get(key)).isEqualTo("3");
    }

    /** A process writes until it has ended in good order; HdfsAtTheEndTest shows what for. */
    @Test
    void noSignalClosesWhatIsOpenWhateverTheFilesSay() throws IOException {
        String key = "fs.automatic.close";
        assertThat(HadoopSettings.of(HadoopConfig.NONE, Map.of()).get(key)).isEqualTo("false");
        site("core-site.xml", key, "true");
        Map<String, String> environment = Map.of("HADOOP_CONF_DIR", directory.toString());
        assertThat(HadoopSettings.of(HadoopConfig.NONE, environment).get(key)).isEqualTo("false");
    }

    @Test
    void aDirectoryThatIsNotThereIsToldByName() {
        Map<String, String> environment = Map.of("HADOOP_CONF_DIR", directory + "/none");
        assertThatThrownBy(() -> HadoopSettings.of(HadoopConfig.NONE, environment))
                .hasMessageContaining("HADOOP_CONF_DIR=" + directory + "/none");
    }

    @Test
    void aLoginAsksForKerberosAndForItsRenewal() throws IOException {
        HadoopConfig.Login login = new HadoopConfig.Login("photon@EXAMPLE.ORG", "/none");
        Configuration settings =
                HadoopSettings.of(new HadoopConfig(Map.of(), Optional.of(login)), Map.of());
        assertThat(settings.get("hadoop.security.authentication")).isEqualTo("kerberos");
        assertThat(settings.get("hadoop.kerberos.keytab.login.autorenewal.enabled"))
                .isEqualTo("true");
    }
}
