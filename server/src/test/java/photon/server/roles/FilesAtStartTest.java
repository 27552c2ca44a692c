package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.error.FailedException;

class FilesAtStartTest {
    private static final String ROOT = "hdfs://namenode:8020/";

    private long nanos;
    private int asked;
    private final FilesAtStart atStart =
            new FilesAtStart(
                    () -> nanos,
                    pause -> {
                        nanos += pause.toNanos();
                        return false;
                    });

    private FilesAtStart.Question failing(int times, IOException trouble) {
        return () -> {
            if (asked++ < times) {
                throw trouble;
            }
        };
    }

    @Test
    void eachFileSystemIsAskedOnce() {
        assertThat(
                        FilesAtStart.roots(
                                List.of(
                                        "hdfs://a:8020/logs/*/x.log",
                                        "/var/log/x.log",
                                        "file:///var/log/x.log",
                                        "hdfs://a:8020/out",
                                        "hdfs:///logs",
                                        "hdfs://b")))
                .containsExactly("hdfs://a:8020/", "hdfs:///", "hdfs://b/");
    }

    @Test
    void oneThatAnswersLaterIsWaitedFor() {
        atStart.await(
                ROOT,
                failing(
                        10,
                        new IOException("Failed on local exception", new ConnectException("no"))));
        assertThat(asked).isEqualTo(11);
        assertThat(Duration.ofNanos(nanos)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void whatIsRefusedIsNotWaitedFor() {
        atStart.await(ROOT, failing(1_000, new FileNotFoundException("/")));
        atStart.await(ROOT, failing(1_000, new AccessDeniedException("/")));
        assertThat(asked).isEqualTo(2);
        assertThat(nanos).isZero();
    }

    @Test
    void oneThatDoesNotAnswerEndsTheDaemonAndIsNamed() {
        assertThatThrownBy(
                        () ->
                                atStart.await(
                                        ROOT,
                                        failing(
                                                Integer.MAX_VALUE,
                                                new ConnectException("Connection refused"))))
                .isInstanceOf(FailedException.class)
                .hasMessageContainingAll(ROOT, "5 minutes", "Connection refused");
        assertThat(Duration.ofNanos(nanos)).isEqualTo(FilesAtStart.PATIENCE);
    }

    @Test
    void whoIsAskedToEndDoesNotWait() {
        FilesAtStart ends = new FilesAtStart(() -> nanos, pause -> true);
        assertThatThrownBy(
                        () ->
                                ends.await(
                                        ROOT,
                                        failing(
                                                Integer.MAX_VALUE,
                                                new ConnectException("Connection refused"))))
                .isInstanceOf(FailedException.class)
                .hasMessageContainingAll("Asked to end", ROOT);
    }
}
