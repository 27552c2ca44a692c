package photon.dispatcher.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.loop.ManualLoop;
import photon.core.rpc.Handler;
import photon.core.time.IntervalClock;
import photon.core.trace.AttemptTracer;
import photon.dispatcher.rules.Stagger;
import photon.dispatcher.state.StateDirectory;
import photon.proto.v1.LogsRequest;
import photon.proto.v1.LogsResponse;
import photon.storage.files.FileStore.AppendFile;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;
import photon.storage.files.StreamListing;
import photon.storage.state.StatePartitions;
import photon.storage.tail.LogPartition;
import photon.storage.tail.LogShare;
import photon.storage.tail.LogTail;

/** What a dispatcher does with the partitions that it takes and gives back. */
class PartitionWorkTest {
    private static final int COUNT = 3;
    private static final int FILES = 12;
    private static final UUID IDENTITY = new UUID(1, 2);

    private final MemoryFileStore files = new MemoryFileStore();
    private final ManualLoop loop = new ManualLoop();
    private final StatePartitions state = new StatePartitions("/state/one", COUNT);
    private final Set<String> joined = new HashSet<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Integer> given = new ArrayList<>();
    private final List<Integer> failed = new ArrayList<>();
    private CompletableFuture<Optional<UUID>> registered =
            CompletableFuture.completedFuture(Optional.of(IDENTITY));
    private final PartitionFlows flows = new PartitionFlows(loop, COUNT, this::flow);
    private final PartitionWork work =
            new PartitionWork(
                    state,
                    files,
                    new Loops(loop, loop, loop),
                    List.of(loop),
                    flows,
                    IDENTITY,
                    () -> registered,
                    (where, failure) -> failures.add(where + ": " + failure.getMessage()));

    @BeforeEach
    void makeTheDirectories() throws IOException {
        files.createDirectories("/logs");
        files.createDirectories("/state/one");
        for (int partition = 0; partition < COUNT; partition++) {
            files.createDirectories(new StateDirectory(state.directory(partition)).journal());
        }
    }

    private void begin(int partition, long number) {
        work.begin(partition, number, () -> failed.add(partition));
    }

    private long micros() {
        return 1_700_000_000_000_000L + loop.nanoTime() / 1_000;
    }

    private Flow flow(LogPartition partition, StateFiles claimed) {
        IntervalClock clock = () -> new IntervalClock.Interval(micros(), micros());
        return new Flow(
                new FlowSettings(
                        clock,
                        new SplittableRandom(1),
                        new Stagger("east", List.of("east"), Duration.ofSeconds(2)),
                        World.limits(300, 64, 5),
                        COUNT,
                        Duration.ofMillis(500),
                        1,
                        AttemptTracer.OFF),
                new Loops(loop, loop, loop),
                claimed,
                new LogTail(
                        files,
                        World.FOREIGN,
                        new LogShare(new StreamListing(files, World.FOREIGN, COUNT), partition),
                        claimed.resume(),
                        clock),
                List.of(new FakeJoiner(loop, joined)),
                new FakeEventStore(loop).callers(),
                new FakeRegistry(loop),
                point -> {},
                (where, bug) -> failures.add(where));
    }

    private void pass(Duration time) {
        for (long i = 0; i < time.toMillis(); i += 100) {
            loop.advance(Duration.ofMillis(100));
        }
        loop.runUntilIdle();
    }

    /** How many of them are in this partition. */
    private int write(int partition, String name) throws IOException {
        int in = 0;
        for (int i = 0; i < FILES; i++) {
            String path = "/logs/" + name + i + ".jsonl";
            String click =
                    "{\"type\":\"click\",\"id\":\"%s%d\",\"of\":\"p\",\"t\":%d}\n"
                            .formatted(name, i, micros());
            byte[] line = click.getBytes(StandardCharsets.UTF_8);
            try (AppendFile file = files.create(path)) {
                file.write(line, 0, line.length);
                file.sync();
            }
            FileInfo info = files.stat(path);
            in += info != null && new LogPartition(partition, COUNT).has(info) ? 1 : 0;
        }
        return in;
    }

    /** A state on HDFS takes seconds, and a long journal minutes. */
    @Test
    void aStateThatTakesLongHoldsUpNoOther() {
        ManualLoop slow = new ManualLoop();
        PartitionWork both =
                new PartitionWork(
                        state,
                        files,
                        new Loops(loop, loop, loop),
                        List.of(slow, loop),
                        flows,
                        IDENTITY,
                        () -> registered,
                        (where, failure) -> failures.add(where + ": " + failure.getMessage()));
        for (int partition = 0; partition < COUNT; partition++) {
            both.begin(partition, 1, () -> {});
        }
        loop.runUntilIdle();
        assertThat(flows.partitions()).containsExactly(1);
        slow.runUntilIdle();
        loop.runUntilIdle();
        assertThat(flows.partitions()).containsExactly(0, 1, 2);
        assertThat(failures).isEmpty();
    }

    @Test
    void eachFlowReadsThePartOfTheLogsThatIsItsOwnAndTheSumIsTold() throws IOException {
        begin(0, 1);
        begin(2, 1);
        int others = write(1, "a");
        assertThat(others).isBetween(1, FILES - 2);
        pass(Duration.ofSeconds(20));
        assertThat(flows.partitions()).containsExactly(0, 2);
        assertThat(joined).hasSize(FILES - others);
        assertThat(flows.status().eventsRead()).isEqualTo(FILES - others);
        assertThat(flows.status().caughtUp()).isTrue();

        work.end(0, () -> given.add(0));
        pass(Duration.ofSeconds(1));
        assertThat(given).containsExactly(0);
        assertThat(flows.partitions()).containsExactly(2);
        assertThat(flows.status().eventsRead()).as("counts stay").isEqualTo(FILES - others);

        begin(1, 1);
        pass(Duration.ofSeconds(20));
        assertThat(joined).hasSize(FILES);
        assertThat(failures).isEmpty();
    }

    /** Each reading sorts all files, in the loop that reads them. */
    @Test
    void manyWhoAskForTheLogsCostTwoReadings() {
        begin(0, 1);
        pass(Duration.ofSeconds(1));
        Handler<LogsRequest, LogsResponse> logs = LogsHandler.shared(loop, flows);
        List<LogsResponse> told = new ArrayList<>();
        int before = loop.queued();
        for (int i = 0; i < 1_000; i++) {
            logs.handle(LogsRequest.getDefaultInstance(), told::add);
        }
        assertThat(loop.queued() - before).as("readings that wait").isEqualTo(1);
        loop.runUntilIdle();
        assertThat(told).hasSize(1_000);
        assertThat(new HashSet<>(told)).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void theLagOfAllIsThatOfTheLogThatIsFurthestBehind() throws IOException {
        for (int partition = 0; partition < COUNT; partition++) {
            begin(partition, 1);
        }
        pass(Duration.ofSeconds(1));
        long micros = micros() - Duration.ofHours(2).toNanos() / 1_000;
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            lines.append(
                    "{\"type\":\"click\",\"id\":\"old%d\",\"of\":\"p\",\"t\":%d}\n"
                            .formatted(i, micros + i));
        }
        byte[] bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
        try (AppendFile file = files.create("/logs/behind.jsonl")) {
            file.write(bytes, 0, bytes.length);
            file.sync();
        }
        write(0, "a");
        pass(Duration.ofSeconds(2));
        List<Long> told = new ArrayList<>();
        flows.tellOfLogs(0, answer -> told.add(answer.getLagSeconds()));
        loop.runUntilIdle();
        assertThat(told).singleElement().asInstanceOf(LONG).isBetween(7_150L, 7_250L);
        assertThat(flows.status().unreadSinceMillis())
                .isBetween(micros / 1_000, micros / 1_000 + 1_000);
    }

    /** With a higher number, as another dispatcher would. */
    @Test
    void whatWasGivenBackIsGoneOnWithWhereItStopped() throws IOException {
        begin(1, 1);
        int own = write(1, "a");
        pass(Duration.ofSeconds(20));
        assertThat(joined).hasSize(own);
        work.end(1, () -> given.add(1));
        pass(Duration.ofSeconds(1));
        begin(1, 2);
        own += write(1, "b");
        pass(Duration.ofSeconds(20));
        assertThat(joined).hasSize(own);
        assertThat(flows.status().eventsRead()).as("nothing is read twice").isEqualTo(own);
        assertThat(StateFiles.lastOwner(files, new StateDirectory(state.directory(1))))
                .isEqualTo(2);
        assertThat(work.lastNumber(1)).isEqualTo(2);
    }

    @Test
    void aStateThatIsNotRegisteredAnyMoreStopsTheProcess() {
        registered = CompletableFuture.completedFuture(Optional.of(new UUID(3, 4)));
        begin(0, 1);
        pass(Duration.ofSeconds(1));
        assertThat(flows.partitions()).isEmpty();
        assertThat(failures).singleElement().asString().contains("was declared lost");
    }

    @Test
    void aRegistryThatDoesNotAnswerIsAskedAgain() {
        registered = CompletableFuture.failedFuture(new IOException("no answer"));
        begin(0, 1);
        pass(Duration.ofSeconds(5));
        assertThat(flows.partitions()).isEmpty();
        registered = CompletableFuture.completedFuture(Optional.of(IDENTITY));
        pass(Duration.ofSeconds(2));
        assertThat(flows.partitions()).containsExactly(0);
        assertThat(failures).isEmpty();
    }

    /** Others may have a way to it. */
    @Test
    void aPartitionOfWhichTheRegistryDoesNotAnswerIsGivenBack() {
        registered = CompletableFuture.failedFuture(new IOException("no answer"));
        begin(0, 1);
        pass(Duration.ofSeconds(28));
        assertThat(failed).isEmpty();
        pass(Duration.ofSeconds(5));
        assertThat(failed).containsExactly(0);
        assertThat(failures).isEmpty();
    }

    /** As the client of a registry that nobody reaches does, which asks on and on. */
    @Test
    void aQuestionThatIsNeverAnsweredKeepsNoPartition() {
        CompletableFuture<Optional<UUID>> never = new CompletableFuture<>();
        registered = never;
        begin(0, 1);
        pass(Duration.ofSeconds(29));
        assertThat(failed).isEmpty();
        pass(Duration.ofSeconds(2));
        assertThat(failed).containsExactly(0);
        begin(0, 2);
        work.end(0, () -> given.add(0));
        pass(Duration.ofSeconds(1));
        assertThat(given).as("at once").containsExactly(0);
        registered = CompletableFuture.completedFuture(Optional.of(IDENTITY));
        begin(1, 1);
        pass(Duration.ofSeconds(1));
        assertThat(flows.partitions()).as("one question at a time").isEmpty();
        never.complete(Optional.of(IDENTITY));
        pass(Duration.ofSeconds(1));
        assertThat(flows.partitions()).containsExactly(1);
        assertThat(failures).isEmpty();
    }

    /** Rows that it had promised to a repair would be forgotten. */
    @Test
    void aPartitionWhoseJournalIsGoneIsNotMadeAnew() throws IOException {
        String journal = new StateDirectory(state.directory(0)).journal();
        files.delete(journal);
        begin(0, 1);
        pass(Duration.ofSeconds(1));
        assertThat(failed).containsExactly(0);
        assertThat(flows.partitions()).isEmpty();
        assertThat(files.stat(journal)).isNull();
    }

    /** The other partitions of this process go on. */
    @Test
    void aPartitionThatCannotBeReadIsGivenBackAndStopsNobody() throws IOException {
        begin(1, 1);
        pass(Duration.ofSeconds(1));
        files.setHook(
                (operation, path) -> {
                    if (path.startsWith(state.directory(0))) {
                        throw new IOException("a block is missing");
                    }
                });
        begin(0, 1);
        int own = write(1, "a");
        pass(Duration.ofSeconds(20));
        assertThat(failed).containsExactly(0);
        assertThat(failures).isEmpty();
        assertThat(flows.partitions()).containsExactly(1);
        assertThat(joined).hasSize(own);
        files.setHook((operation, path) -> {});
        begin(0, 2);
        pass(Duration.ofSeconds(1));
        assertThat(flows.partitions()).containsExactly(0, 1);
    }

    /** Both callers hear of it when nothing is written any more. */
    @Test
    void anEndThatIsAskedForTwiceIsOne() throws IOException {
        begin(1, 1);
        write(1, "a");
        pass(Duration.ofSeconds(1));
        boolean[] done = {false};
        flows.stop(Duration.ofSeconds(2), () -> done[0] = true);
        work.end(1, () -> given.add(1));
        loop.runUntilIdle();
        assertThat(given).as("while it ends").hasSize(done[0] ? 1 : 0);
        pass(Duration.ofSeconds(5));
        assertThat(given).containsExactly(1);
        assertThat(done[0]).isTrue();
    }

    @Test
    void whatShallEndBeforeItHasBegunEnds() {
        CompletableFuture<Optional<UUID>> answer = new CompletableFuture<>();
        registered = answer;
        begin(0, 1);
        work.end(0, () -> given.add(0));
        pass(Duration.ofSeconds(1));
        assertThat(given).containsExactly(0);
        answer.complete(Optional.of(IDENTITY));
        pass(Duration.ofSeconds(6));
        assertThat(given).containsExactly(0);
        assertThat(flows.partitions()).isEmpty();
    }

    @Test
    void whoComesTooLateStops() throws IOException {
        StateFiles.openAs(7, files, new StateDirectory(state.directory(0))).close();
        begin(0, 6);
        pass(Duration.ofSeconds(1));
        assertThat(failures).singleElement().asString().contains("owner 6 comes too late");
    }

    @Test
    void repairRowsWaitUntilSomePartitionIsWorkedOn() {
        boolean[] durable = {false};
        LogEvent lost = FlowTest.event("lost");
        flows.addRepairRows(
                List.of(new RepairRow(lost, new CommitToken(3, 4, 5))), () -> durable[0] = true);
        pass(Duration.ofSeconds(1));
        assertThat(durable[0]).isFalse();
        begin(1, 1);
        pass(Duration.ofSeconds(1));
        assertThat(durable[0]).isTrue();
        assertThat(flows.status().repairRows()).isEqualTo(1);
    }

    /** Their caller repeats them as long as it has no answer. */
    @Test
    void ofRepairRowsThatWaitTheNewestAreKept() {
        List<Integer> durable = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            flows.addRepairRows(
                    List.of(new RepairRow(FlowTest.event("l" + i), new CommitToken(3, 4, 5))),
                    () -> durable.add(number));
        }
        begin(1, 1);
        pass(Duration.ofSeconds(1));
        assertThat(durable).containsExactlyInAnyOrder(12, 13, 14, 15, 16, 17, 18, 19);
    }

    /** So that its lease may be given back: nothing is written there any more. */
    @Test
    void allEndWhenTheProcessDoes() throws IOException {
        begin(0, 1);
        begin(1, 1);
        write(0, "a");
        pass(Duration.ofSeconds(20));
        boolean[] done = {false};
        flows.stop(Duration.ofSeconds(2), () -> done[0] = true);
        pass(Duration.ofSeconds(5));
        assertThat(done[0]).isTrue();
        assertThat(failures).isEmpty();
    }
}
