package photon.eventstore.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.eventstore.Events.key;

import com.google.protobuf.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.error.ConfigException;
import photon.core.loop.EventLoop;
import photon.core.loop.LoopProbe;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.SessionCaller;
import photon.core.share.EventStoreShares;
import photon.core.share.StoreShare;
import photon.core.testing.Await;
import photon.core.time.SystemClock;
import photon.proto.v1.AwaitRequest;
import photon.proto.v1.AwaitResponse;
import photon.proto.v1.EventStoreGrpc;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;
import photon.proto.v1.PrimaryLookupResponse.Status;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;
import photon.storage.ledger.Ledger;

/** The daemon as it is: real files, the real index, real gRPC. */
class EventStoreServerTest {
    private static final HostPort ANY = new HostPort("127.0.0.1", 0);

    @TempDir Path directory;
    private final FileStore files = new HadoopFileStore();
    private final AtomicReference<@Nullable Throwable> bug = new AtomicReference<>();
    private @Nullable EventStoreServer server;

    @BeforeEach
    void logs() throws IOException {
        Files.createDirectory(directory.resolve("logs"));
    }

    @AfterEach
    void close() {
        if (server != null) {
            server.close();
            server.close();
        }
        assertThat(bug.get()).isNull();
    }

    @Test
    void whatTheLogsHoldIsFoundAndWhatTheyDoNotIsNotYet() throws Exception {
        write("a.csv", "1,q1,0\n2,q2,0\n3,q3,1\n");
        start();
        awaitStatus(s -> s.caughtUp());
        PrimaryLookupResponse answer = lookup("q2", "q3", "q4", "q1");
        assertThat(answer.getResultsList())
                .extracting(PrimaryLookupResponse.Result::getStatus)
                .containsExactly(Status.FOUND, Status.NOT_YET, Status.NOT_YET, Status.FOUND);
        assertThat(answer.getResults(0).getPrimary().getJson().toString(UTF_8))
                .isEqualTo("{\"at\":\"2\",\"id\":\"q2\",\"kind\":\"0\"}");
        EventStoreStatus status = server().status();
        assertThat(status.primaryEvents()).isEqualTo(2);
        assertThat(status.lookups()).isEqualTo(4);
        assertThat(status.index().cacheHits()).isEqualTo(2);
    }

    @Test
    void theLoopsThatWaitForTheDiskCanBeAskedWhetherTheyRun() throws Exception {
        start();
        assertThat(server().readers())
                .extracting(LoopProbe::name)
                .containsExactly("eventstore-read-0", "eventstore-read-1");
        server().readers().forEach(reader -> reader.ask(0));
        Await.until(
                Duration.ofMinutes(1),
                "readers that answer",
                () -> "",
                () ->
                        server().readers().stream()
                                .allMatch(reader -> Boolean.TRUE.equals(reader.last())));
    }

    @Test
    void aLogThatGrowsIsFollowed() throws Exception {
        write("a.csv", "1,q1,0\n2,q2");
        start();
        awaitStatus(s -> s.caughtUp());
        assertThat(statusOf("q2")).isEqualTo(Status.NOT_YET);
        write("a.csv", "2,0\n3,q3,0\n");
        write("b.csv", "4,q4,0\n");
        awaitStatus(s -> s.primaryEvents() == 4);
        assertThat(statusOf("q22")).isEqualTo(Status.FOUND);
        assertThat(statusOf("q4")).isEqualTo(Status.FOUND);
    }

    @Test
    void whoWaitsForAPrimaryEventIsToldWhenItHasBeenRead() throws Exception {
        write("a.csv", "1,q1,0\n");
        start();
        awaitStatus(s -> s.caughtUp());
        EventLoop loop = new ThreadLoop("test", 10, (where, thrown) -> bug.set(thrown));
        GrpcChannels channels = new GrpcChannels(loop, new ProcessRpcs());
        BlockingQueue<ByteString> told = new LinkedBlockingQueue<>();
        try {
            loop.execute(
                    () ->
                            channels.session(server().address(), EventStoreGrpc.getAwaitMethod())
                                    .open(new Told(told))
                                    .send(
                                            AwaitRequest.newBuilder()
                                                    .addKeys(key("q1"))
                                                    .addKeys(key("q2"))
                                                    .build()));
            assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(key("q1"));
            assertThat(server().status().awaited()).isEqualTo(1);
            write("a.csv", "2,q2,0\n");
            assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo(key("q2"));
            assertThat(statusOf("q2")).isEqualTo(Status.FOUND);
        } finally {
            channels.close();
            loop.close();
        }
        awaitStatus(s -> s.arrivals() == 2 && s.awaited() == 0);
    }

    /** Two stores of one datacenter read the same logs. */
    @Test
    void eachOfSeveralStoresKeepsItsShare() throws Exception {
        StringBuilder lines = new StringBuilder();
        String[] ids = new String[40];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = "q" + i;
            lines.append(i + ",q" + i + ",0\n");
        }
        write("a.csv", lines.toString());
        EventStoreShares shares = new EventStoreShares(List.of("a", "b"), 1);
        List<List<Status>> found = new ArrayList<>();
        for (String name : shares.names()) {
            share = new StoreShare(shares, name);
            server = start(ANY, directory.resolve("state-" + name));
            awaitStatus(s -> s.caughtUp());
            PrimaryLookupResponse answer = lookup(ids);
            assertThat(answer.getAllRead()).isFalse();
            for (int i = 0; i < ids.length; i++) {
                assertThat(answer.getResults(i).getElsewhere())
                        .isEqualTo(!share.holds(key(ids[i])));
            }
            found.add(
                    answer.getResultsList().stream()
                            .map(PrimaryLookupResponse.Result::getStatus)
                            .toList());
            assertThat(server().status().primaryEvents())
                    .isEqualTo(40 - server().status().elsewhere());
            assertThat(server().status().eventsRead()).as("whatever the share").isEqualTo(40);
            server().close();
        }
        for (int i = 0; i < ids.length; i++) {
            assertThat(List.of(found.get(0).get(i), found.get(1).get(i)))
                    .containsExactlyInAnyOrder(Status.FOUND, Status.NOT_YET);
        }
    }

    private record Told(BlockingQueue<ByteString> keys)
            implements SessionCaller.Listener<AwaitResponse> {
        @Override
        public void received(AwaitResponse message) {
            keys.addAll(message.getKeysList());
        }

        @Override
        public void broken(String why) {}
    }

    @Test
    void aRestartKnowsWhatWasReadEvenWhenTheLogsAreGone() throws Exception {
        write("a.csv", "1,q1,0\nbroken,q2,0\n3,,0\n");
        gzip("torn.csv.gz", "5,q5,0\n", false);
        gzip("corrupt.csv.gz", "6,q6,0\n", true);
        for (int life = 0; life < 3; life++) {
            start();
            awaitStatus(s -> s.caughtUp());
            // A broken timestamp, a missing id, a corrupt stream; what is torn may still grow.
            assertThat(server().status().badRecords()).isEqualTo(3);
            assertThat(statusOf("q1")).isEqualTo(Status.FOUND);
            server().close();
        }
        Files.delete(directory.resolve("logs/a.csv"));
        start();
        awaitStatus(s -> s.caughtUp());
        assertThat(statusOf("q1")).isEqualTo(Status.FOUND);
        assertThat(server().status().index().cacheHits()).isZero();
        assertThat(badRecords()).hasSize(3);
    }

    @Test
    void aPortInUseIsToldAndLeavesNothingOpen() throws Exception {
        write("a.csv", "1,q1,0\n");
        start();
        HostPort taken = server().address();
        Path other = Files.createDirectory(directory.resolve("other"));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> start(taken, other))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(String.valueOf(taken.port()));
        }
        start(ANY, other).close();
    }

    private StoreShare share = StoreShare.WHOLE;

    private void start() {
        server = start(ANY, directory.resolve("state"));
    }

    private EventStoreServer start(HostPort listen, Path state) {
        StreamConfig primary =
                new StreamConfig(
                        List.of(directory.resolve("logs") + "/*"),
                        new FormatConfig.Csv(false, ',', List.of("at", "id", "kind"), ""),
                        Map.of("kind", List.of("0")),
                        Map.of(),
                        new IdConfig.User(List.of("id")),
                        Optional.of(
                                new TimestampConfig.Numeric("at", TimestampConfig.Unit.SECONDS)),
                        Optional.empty());
        return EventStoreServer.start(
                new EventStoreSettings(
                        listen,
                        state.toString(),
                        state + "/ledger",
                        share,
                        primary,
                        1 << 20,
                        Optional.empty(),
                        Duration.ofDays(7)),
                files,
                new ProcessRpcs(),
                new SystemClock(Duration.ZERO),
                (where, thrown) -> bug.set(thrown));
    }

    private EventStoreServer server() {
        return java.util.Objects.requireNonNull(server);
    }

    private Status statusOf(String id) throws Exception {
        return lookup(id).getResults(0).getStatus();
    }

    /** On a machine without time a connection may end: a joiner would ask again, too. */
    private PrimaryLookupResponse lookup(String... ids) throws Exception {
        for (int tries = 1; ; tries++) {
            try {
                return lookupOnce(ids);
            } catch (ExecutionException e) {
                if (tries == 5) {
                    throw e;
                }
            }
        }
    }

    private PrimaryLookupResponse lookupOnce(String... ids) throws Exception {
        PrimaryLookupRequest.Builder request = PrimaryLookupRequest.newBuilder();
        for (String id : ids) {
            request.addKeys(key(id));
        }
        EventLoop loop = new ThreadLoop("test", 10, (where, thrown) -> bug.set(thrown));
        GrpcChannels channels = new GrpcChannels(loop, new ProcessRpcs());
        CompletableFuture<PrimaryLookupResponse> answer = new CompletableFuture<>();
        loop.execute(() -> call(channels, request.build(), answer));
        try {
            return answer.get(3, TimeUnit.MINUTES);
        } finally {
            channels.close();
            loop.close();
        }
    }

    private void call(
            GrpcChannels channels,
            PrimaryLookupRequest request,
            CompletableFuture<PrimaryLookupResponse> answer) {
        channels.stream(
                        server().address(),
                        EventStoreGrpc.getLookupMethod(),
                        Duration.ofMinutes(1),
                        new GrpcChannels.Numbering<>(
                                (r, number) -> r.toBuilder().setRequest(number).build(),
                                PrimaryLookupResponse::getRequest))
                .call(
                        request,
                        new Caller.Reply<>() {
                            @Override
                            public void answered(PrimaryLookupResponse response) {
                                answer.complete(response);
                            }

                            @Override
                            public void broken(String why) {
                                answer.completeExceptionally(new IOException(why));
                            }
                        });
    }

    private void awaitStatus(Predicate<EventStoreStatus> reached) {
        long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!reached.test(server().status())) {
            assertThat(System.nanoTime())
                    .as("waiting, but the store is at %s", server().status())
                    .isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private Set<String> badRecords() throws IOException {
        Set<String> records = new HashSet<>();
        Ledger.forEach(
                files,
                directory.resolve("state/ledger").toString(),
                entry -> records.add(entry.file() + "@" + entry.offset()));
        return records;
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(
                directory.resolve("logs").resolve(name),
                text,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private void gzip(String name, String text, boolean corrupt) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(UTF_8));
        }
        byte[] packed = bytes.toByteArray();
        if (corrupt) {
            packed[packed.length - 6] ^= 0x55;
        }
        int length = corrupt ? packed.length : packed.length - 3;
        Files.write(
                directory.resolve("logs").resolve(name), java.util.Arrays.copyOf(packed, length));
    }
}
