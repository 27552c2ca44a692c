package photon.storage.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.storage.output.OutputFixture.EAST;
import static photon.storage.output.OutputFixture.HOUR;
import static photon.storage.output.OutputFixture.open;
import static photon.storage.output.OutputFixture.published;
import static photon.storage.output.OutputFixture.record;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.output.WorkDirectory.WorkLog;

/** Work logs, publication and sealing, on every file system that output can be written to. */
public abstract class OutputContract {
    protected abstract FileStore files();

    /** An empty directory of this test's own. */
    protected abstract String directory();

    private String root() {
        return directory() + "/deep/east";
    }

    @Test
    void finishedLogsArePublishedAndADeadJoinersOpenLogIsSealed() throws IOException {
        OutputDirectory output = open(files(), root());
        WorkDirectory work = output.createWorkDirectory(EAST);
        publish(work, 1, 2, 3);
        publish(work);
        WorkLog left = work.createLog();
        left.append(record(4));
        left.flush();

        open(files(), root()).seal(EAST);
        goOnAsAZombie(left, 5);
        open(files(), root()).seal(EAST);

        assertThatThrownBy(work::createLog).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> output.createWorkDirectory(EAST))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(published(files(), root()))
                .containsEntry(HOUR + "3-17-000001.jsonl", "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n")
                .containsEntry("late/" + HOUR + "3-17-000001.jsonl", "{\"late\":3}\n")
                .containsEntry(HOUR + "3-17-000002.jsonl", "")
                .containsEntry(HOUR + "3-17-000003.jsonl", "{\"n\":4}\n")
                .hasSize(4);
        assertThat(output.manifests(EAST)).hasSize(3);
        for (Manifest manifest : output.manifests(EAST)) {
            assertThat(output.verify(manifest, Long.MIN_VALUE)).isEmpty();
        }
        assertThat(output.strangers()).isEmpty();
    }

    @Test
    void aZombieThatFinishesItsLogAfterTheSealingPublishesNothing() throws IOException {
        OutputDirectory output = open(files(), root());
        WorkDirectory work = output.createWorkDirectory(EAST);
        WorkLog left = work.createLog();
        left.append(record(1));
        left.sync();
        open(files(), root()).seal(EAST);
        Map<String, String> sealed = published(files(), root());
        assertThatThrownBy(
                        () -> {
                            left.append(record(2));
                            left.finish();
                            work.publish(left);
                        })
                .isInstanceOfAny(IOException.class, BugException.class);
        assertThat(published(files(), root()))
                .isEqualTo(sealed)
                .containsOnly(Map.entry(HOUR + "3-17-000001.jsonl", "{\"n\":1}\n"));
    }

    @Test
    void twoWhoSealAtOnceAgree() throws Exception {
        OutputDirectory output = open(files(), root());
        WorkDirectory work = output.createWorkDirectory(EAST);
        Map<String, String> expected = new TreeMap<>();
        for (int i = 1; i <= 3; i++) {
            WorkLog log = work.createLog();
            log.append(record(10 * i + 1));
            log.flush();
            expected.put(HOUR + "3-17-00000" + i + ".jsonl", "{\"n\":" + (10 * i + 1) + "}\n");
        }
        expected.put("late/" + HOUR + "3-17-000002.jsonl", "{\"late\":21}\n");
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Callable<Boolean>> sealers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                sealers.add(
                        () -> {
                            open(files(), root()).seal(EAST);
                            return true;
                        });
            }
            for (Future<Boolean> sealed : threads.invokeAll(sealers)) {
                assertThat(sealed.get()).isTrue();
            }
        } finally {
            threads.shutdown();
        }
        assertThat(published(files(), root())).isEqualTo(expected);
        assertThat(output.manifests(EAST)).hasSize(3);
        assertThat(output.strangers()).isEmpty();
    }

    @Test
    void incarnationsWriteSideBySide() throws IOException {
        Incarnation other = new Incarnation(3, 18);
        OutputDirectory output = open(files(), root());
        WorkDirectory one = output.createWorkDirectory(EAST);
        WorkDirectory two = open(files(), root()).createWorkDirectory(other);
        publish(one, 1);
        WorkLog log = two.createLog();
        log.append(record(other, 2));
        log.finish();
        output.seal(EAST);
        two.publish(log);
        assertThat(published(files(), root()))
                .containsOnlyKeys(HOUR + "3-17-000001.jsonl", HOUR + "3-18-000001.jsonl");
    }

    /** What a joiner does that does not know yet that it is dead; HDFS tells it. */
    private static void goOnAsAZombie(WorkLog log, int n) {
        try {
            log.append(record(n));
            log.flush();
        } catch (IOException e) {
            assertThat(e).isNotNull();
        }
    }

    private static void publish(WorkDirectory work, int... records) throws IOException {
        WorkLog log = work.createLog();
        for (int n : records) {
            log.append(record(n));
        }
        log.finish();
        work.publish(log);
    }
}
