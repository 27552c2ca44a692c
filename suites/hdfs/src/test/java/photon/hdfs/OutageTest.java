package photon.hdfs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.storage.files.Hdfs;

/**
 * {@code photon local} with logs and output on HDFS, while servers of HDFS are away for a while.
 */
class OutageTest {
    private static final int FEW = 100;

    /** More than can be joined before something is away. */
    private static final int MANY = 20_000;

    private final MiniDFSCluster cluster = Hdfs.cluster();
    private final String hdfs = Hdfs.newDirectory();

    @TempDir Path state;

    /** What a test takes away, and gives back. */
    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    @Test
    void safeMode() throws Exception {
        joinsAllInSpiteOf(
                () -> cluster.getFileSystem().setSafeMode(SafeModeAction.ENTER),
                () -> cluster.getFileSystem().setSafeMode(SafeModeAction.LEAVE));
    }

    @Test
    void aDataNodeThatDiesAndComesBack() throws Exception {
        List<MiniDFSCluster.DataNodeProperties> stopped = new ArrayList<>();
        joinsAllInSpiteOf(
                () -> stopped.add(cluster.stopDataNode(0)),
                () -> {
                    cluster.restartDataNode(stopped.get(0), true);
                    cluster.waitActive();
                });
    }

    @Test
    void noRoomForOutput() throws Exception {
        org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path(hdfs + "/out");
        joinsAllInSpiteOf(
                () -> Hdfs.client().setQuota(output, HdfsConstants.QUOTA_DONT_SET, 1),
                () ->
                        Hdfs.client()
                                .setQuota(
                                        output,
                                        HdfsConstants.QUOTA_DONT_SET,
                                        HdfsConstants.QUOTA_RESET));
    }

    private void joinsAllInSpiteOf(Step away, Step back) throws Exception {
        LocalOnHdfsRun run = new LocalOnHdfsRun(Hdfs.client(), hdfs, Hdfs.settings(), state, FEW);
        run.clicks(MANY);
        away.run();
        try {
            run.goesOnForAWhile();
        } finally {
            back.run();
        }
        run.clicks(FEW);
        run.endsWithAllJoined();
    }
}
