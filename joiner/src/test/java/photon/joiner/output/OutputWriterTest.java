package photon.joiner.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.Incarnation;
import photon.core.loop.ManualLoop;
import photon.core.time.IntervalClock;
import photon.joiner.Events;
import photon.joiner.MemoryOutput;
import photon.storage.output.WorkRecord;

class OutputWriterTest {
    private final ManualLoop main = new ManualLoop();
    private final ManualLoop output = new ManualLoop();
    private final MemoryOutput files = new MemoryOutput();
    private long nowMicros;
    private final DurableDelay delays =
            new DurableDelay(() -> new IntervalClock.Interval(nowMicros - 500, nowMicros + 500));
    private final List<String> heard = new ArrayList<>();
    private OutputWriter writer = make(Durability.SYNCED);

    private OutputWriter make(Durability durability) {
        try {
            return new OutputWriter(
                    main,
                    output,
                    files.create(new Incarnation(1, files.directories() + 1)),
                    new OutputWriter.Rolling(durability, Duration.ofSeconds(5), 1_000),
                    delays,
                    CrashPoints.none(),
                    new OutputWriter.Listener() {
                        @Override
                        public void published(int records) {
                            heard.add("published " + records);
                        }

                        @Override
                        public void failed(IOException why) {
                            heard.add("failed");
                        }
                    });
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void allThatWaitsCostsOneSyncAndIsToldInOrder() {
        write(1);
        write(2);
        write(3);
        run();
        assertThat(heard).containsExactly("flushed 1", "flushed 2", "flushed 3");
        assertThat(files.syncs).isEqualTo(1);
        assertThat(files.synced).hasSize(3);
    }

    @Test
    void flushedIsEnoughWhereThatWasChosen() {
        writer = make(Durability.FLUSHED);
        write(1);
        run();
        assertThat(heard).containsExactly("flushed 1");
        assertThat(files.syncs).isZero();
        assertThat(files.flushes).isEqualTo(1);
    }

    @Test
    void aLogThatIsLargeEnoughIsPublishedAtOnceAndTheNextIsAnother() {
        for (int n = 1; n <= 10; n++) {
            write(n);
        }
        run();
        assertThat(heard).endsWith("flushed 10", "published 10");
        write(11);
        run();
        assertThat(files.logsCreated).isEqualTo(2);
        output.advance(Duration.ofSeconds(5));
        run();
        assertThat(heard).endsWith("published 1");
    }

    @Test
    void anEndStopsEvenWhatIsAboutToBeWritten() {
        write(1);
        // Between the batch's arrival in the output loop and its write.
        output.execute(writer::end);
        run();
        assertThat(files.appended).isEmpty();
        assertThat(heard).isEmpty();
    }

    @Test
    void anEndStopsAPublicationThatIsDue() {
        write(1);
        run();
        output.execute(writer::end);
        writer.publishAll(() -> heard.add("all"));
        run();
        output.advance(Duration.ofSeconds(10));
        run();
        assertThat(files.published).isEmpty();
        assertThat(heard).containsExactly("flushed 1");
    }

    @Test
    void aFailureIsToldOnceAndNothingFollowsIt() {
        files.fails = call -> call == MemoryOutput.Call.SYNC;
        write(1);
        run();
        files.fails = call -> false;
        write(2);
        writer.publishAll(() -> heard.add("all"));
        run();
        output.advance(Duration.ofSeconds(10));
        run();
        assertThat(heard).containsExactly("failed");
        assertThat(files.synced).isEmpty();
        assertThat(files.published).isEmpty();
    }

    @Test
    void publishingAllWritesWhatStillWaits() {
        write(1);
        writer.publishAll(() -> heard.add("all"));
        run();
        assertThat(heard).containsExactly("flushed 1", "published 1", "all");
    }

    @Test
    void theDelayOfAnEventEndsWithTheSyncOfItsRecord() {
        nowMicros = Events.id(1).micros() + 5_000_000;
        write(1);
        assertThat(delays.counts()).as("not yet").isEmpty();
        files.fails = call -> call == MemoryOutput.Call.SYNC;
        run();
        assertThat(delays.counts()).as("never").isEmpty();

        files.fails = call -> false;
        writer = make(Durability.SYNCED);
        write(2);
        nowMicros = Events.id(2).micros() + 12;
        run();
        assertThat(delays.counts()).containsExactly(entry(12L, 1L));
    }

    private void write(int n) {
        WorkRecord record =
                new WorkRecord(
                        Events.id(n),
                        CommitToken.of(new Incarnation(1, files.directories()), n),
                        "hash",
                        List.of());
        writer.write(List.of(record), () -> heard.add("flushed " + n));
    }

    private void run() {
        output.runUntilIdle();
        main.runUntilIdle();
    }
}
