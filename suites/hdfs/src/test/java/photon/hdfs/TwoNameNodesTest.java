package photon.hdfs;

import java.io.File;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.storage.files.Hdfs;

/** {@code photon local} on a name service: two NameNodes, of which one takes over. */
class TwoNameNodesTest {
    private static final String SERVICE = "logs";
    private static final int FEW = 100;

    /** More than can be joined before a NameNode is gone. */
    private static final int MANY = 20_000;

    @TempDir Path state;

    @Test
    void aNameNodeThatDiesIsFollowedByTheOther() throws Exception {
        Configuration server = new HdfsConfiguration();
        Hdfs.settings().forEach(server::set);
        server.setInt("dfs.namenode.fs-limits.min-block-size", 0);
        server.setInt("dfs.namenode.safemode.extension", 0);
        server.setInt("dfs.ha.tail-edits.period", 1);
        try (MiniDFSCluster cluster =
                        new MiniDFSCluster.Builder(server, new File("target/hdfs-two"))
                                .nnTopology(MiniDFSNNTopology.simpleHATopology())
                                .numDataNodes(1)
                                .build();
                DistributedFileSystem others = connect(cluster)) {
            cluster.waitActive();
            cluster.transitionToActive(0);
            LocalOnHdfsRun run =
                    new LocalOnHdfsRun(
                            others,
                            "hdfs://" + SERVICE + "/pipeline",
                            settings(cluster),
                            state,
                            FEW);
            run.clicks(MANY);
            cluster.shutdownNameNode(0);
            cluster.transitionToActive(1);
            run.clicks(FEW);
            run.endsWithAllJoined();
        }
    }

    /** As an operator writes them below {@code hadoop}. */
    private static Map<String, String> settings(MiniDFSCluster cluster) {
        Map<String, String> settings = new HashMap<>(Hdfs.settings());
        settings.put("dfs.nameservices", SERVICE);
        settings.put("dfs.ha.namenodes." + SERVICE, "nn1,nn2");
        for (int i = 0; i < 2; i++) {
            settings.put(
                    "dfs.namenode.rpc-address." + SERVICE + ".nn" + (i + 1),
                    "localhost:" + cluster.getNameNodePort(i));
        }
        settings.put(
                "dfs.client.failover.proxy.provider." + SERVICE,
                ConfiguredFailoverProxyProvider.class.getName());
        return settings;
    }

    private static DistributedFileSystem connect(MiniDFSCluster cluster) throws Exception {
        Configuration client = new Configuration();
        settings(cluster).forEach(client::set);
        return (DistributedFileSystem) FileSystem.newInstance(new URI("hdfs://" + SERVICE), client);
    }
}
