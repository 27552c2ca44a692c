package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Test;
import photon.core.testing.Await;
import photon.storage.files.Hdfs;

/** A daemon that starts before its HDFS. */
class HdfsAtStartTest {
    private static final Duration LONG = Duration.ofMinutes(4);

    private final MiniDFSCluster cluster = Hdfs.cluster();
    private final String hdfs = Hdfs.uri();
    private final AtomicInteger pauses = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);

    private CompletableFuture<Void> waits() throws Exception {
        FilesAtStart atStart = new FilesAtStart(System::nanoTime, this::pause);
        CompletableFuture<Void> waits =
                CompletableFuture.runAsync(
                        () ->
                                atStart.await(
                                        Hdfs.files(),
                                        List.of(hdfs + "/out"),
                                        List.of(hdfs + "/logs/*.log")));
        Await.until(
                LONG, "two questions", waits::toString, () -> pauses.get() >= 2 || waits.isDone());
        return waits;
    }

    private boolean pause(Duration time) {
        pauses.incrementAndGet();
        try {
            return never.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void aNameNodeThatStartsLaterIsWaitedFor() throws Exception {
        cluster.shutdownNameNode(0);
        CompletableFuture<Void> waits = waits();
        assertThat(waits).isNotDone();
        cluster.restartNameNode(0);
        waits.get(LONG.toSeconds(), TimeUnit.SECONDS);
        cluster.waitActive();
    }

    @Test
    void theEndOfSafeModeIsWaitedFor() throws Exception {
        cluster.getFileSystem().setSafeMode(SafeModeAction.ENTER);
        CompletableFuture<Void> waits = waits();
        assertThat(waits).isNotDone();
        cluster.getFileSystem().setSafeMode(SafeModeAction.LEAVE);
        waits.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
}
