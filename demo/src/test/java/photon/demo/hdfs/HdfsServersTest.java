package photon.demo.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.ConfigException;
import photon.testbed.process.ProcessName;

class HdfsServersTest {
    @TempDir Path directory;

    @Test
    void eachDatacenterHasANameNodeAndTwoDataNodesOfItsOwn() throws Exception {
        try (HdfsServers servers =
                new HdfsServers(
                        directory, Path.of("servers.jar"), List.of("east", "west"), new Random())) {
            assertThat(servers.processes())
                    .extracting(ProcessName::label)
                    .containsExactly(
                            "east/namenode",
                            "west/namenode",
                            "east/datanode-0",
                            "east/datanode-1",
                            "west/datanode-0",
                            "west/datanode-1");
            assertThat(servers.uris().values()).doesNotHaveDuplicates().hasSize(2);
            for (ProcessName process : servers.processes()) {
                Configuration configuration = settings(servers, process);
                assertThat(configuration.get("fs.defaultFS"))
                        .isEqualTo(servers.uris().get(process.datacenter()));
                assertThat(configuration.get("dfs.replication")).isEqualTo("2");
            }
            ProcessName one = HdfsServers.dataNode("east", 0);
            ProcessName other = HdfsServers.dataNode("east", 1);
            assertThat(settings(servers, one).get("dfs.datanode.data.dir"))
                    .isNotEqualTo(settings(servers, other).get("dfs.datanode.data.dir"));
        }
    }

    @Test
    void aDirectoryIsMadeForANameNodeOnceOnly() throws Exception {
        try (HdfsServers servers =
                new HdfsServers(directory, Path.of("servers.jar"), List.of("east"), new Random())) {
            ProcessName nameNode = servers.processes().get(0);
            assertThat(settings(servers, nameNode).get(HdfsServerMain.FORMAT)).isEqualTo("true");
            Files.createDirectories(directory.resolve("east-namenode/name"));
            assertThat(settings(servers, nameNode).get(HdfsServerMain.FORMAT)).isEqualTo("false");
        }
    }

    private static Configuration settings(HdfsServers servers, ProcessName process) {
        List<String> arguments = servers.arguments(process);
        return HdfsServerMain.configuration(arguments.subList(1, arguments.size()));
    }

    @Test
    void aPortThatIsTakenIsSaidAsTheDaemonsSayIt() {
        assertThat(HdfsServerMain.reason(new IllegalStateException(new BindException("in use: 7"))))
                .isEqualTo("Cannot listen: in use: 7");
        assertThat(HdfsServerMain.reason(new IllegalStateException("no disk"))).contains("no disk");
    }

    @Test
    void whoLacksTheServersIsToldWhatToDo() throws Exception {
        assertThatThrownBy(() -> HdfsJar.find(directory))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("hadoop-client-minicluster-3.")
                .hasMessageContaining(directory.resolve("lib/hdfs").toString());
        Files.createFile(directory.resolve("pom.xml"));
        assertThatThrownBy(() -> HdfsJar.find(directory))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mvn -Phdfs -pl demo/hdfs package");
        Path jar = directory.resolve("lib/hdfs/hadoop-client-minicluster-9.jar");
        Files.createDirectories(jar.getParent());
        Files.createFile(jar);
        assertThat(HdfsJar.find(directory)).isEqualTo(jar);
    }
}
