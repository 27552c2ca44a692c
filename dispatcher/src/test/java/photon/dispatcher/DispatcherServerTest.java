package photon.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.FormatConfig;
import photon.core.config.IdConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.config.TimestampConfig;
import photon.core.crash.CrashPoints;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.loop.ThreadLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.GrpcChannels;
import photon.core.rpc.GrpcServer;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.core.rpc.SessionHandler;
import photon.core.share.EventStoreShares;
import photon.core.time.SystemClock;
import photon.core.trace.AttemptTracer;
import photon.dispatcher.flow.FakeRegistry;
import photon.dispatcher.state.DispatcherStatus;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.AddRepairRowsResponse;
import photon.proto.v1.AwaitRequest;
import photon.proto.v1.DispatcherGrpc;
import photon.proto.v1.EventStoreGrpc;
import photon.proto.v1.FrontierResponse;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult;
import photon.proto.v1.JoinerGrpc;
import photon.proto.v1.RepairRow;
import photon.storage.files.HadoopFileStore;
import photon.storage.state.StatePartitions;

/** The whole dispatcher with its threads, over local files and real connections. */
@Timeout(240)
class DispatcherServerTest {
    private static final UUID STATE = new UUID(7, 7);
    private static final int EVENTS = 20_000;

    @TempDir private Path directory;

    private final ThreadLoop loop = new ThreadLoop("test", 1_000, (where, bug) -> {});
    private final Set<String> joined = ConcurrentHashMap.newKeySet();
    private final AtomicInteger bugs = new AtomicInteger();
    private final GrpcServer joiner =
            GrpcServer.at(new HostPort("127.0.0.1", 0), loop)
                    .session(JoinerGrpc.getJoinMethod(), sessions())
                    .unary(
                            EventStoreGrpc.getFrontierMethod(),
                            (request, respond) ->
                                    respond.accept(FrontierResponse.getDefaultInstance()))
                    .session(EventStoreGrpc.getAwaitMethod(), out -> new SilentSession())
                    .start();

    /** Tells of nothing. */
    private static final class SilentSession implements SessionHandler.Session<AwaitRequest> {
        @Override
        public void received(AwaitRequest message) {}

        @Override
        public void closed() {}
    }

    private SessionHandler<JoinRequest, JoinResponse> sessions() {
        return out ->
                new SessionHandler.Session<>() {
                    @Override
                    public void received(JoinRequest message) {
                        answer(message, out);
                    }

                    @Override
                    public void closed() {}
                };
    }

    private void answer(JoinRequest message, Consumer<JoinResponse> out) {
        JoinResponse.Builder answer = JoinResponse.newBuilder();
        for (JoinItem item : message.getItemsList()) {
            joined.add(item.getEvent().getIdText());
            answer.addResults(
                    JoinResult.newBuilder()
                            .setNumber(item.getNumber())
                            .setStatus(JoinResult.Status.JOINED));
        }
        out.accept(answer.build());
    }

    private DispatcherServer start() throws IOException {
        StreamConfig foreign =
                new StreamConfig(
                        List.of(directory + "/logs/*.csv"),
                        new FormatConfig.Csv(false, ',', List.of("t", "id", "of"), ""),
                        Map.of(),
                        Map.of(),
                        new IdConfig.User(List.of("id")),
                        Optional.of(new TimestampConfig.Numeric("t", TimestampConfig.Unit.MICROS)),
                        Optional.of(new IdConfig.User(List.of("of"))));
        return DispatcherServer.start(
                new DispatcherSettings(
                        new HostPort("127.0.0.1", 0),
                        List.of(joiner.address()),
                        List.of(joiner.address()),
                        EventStoreShares.ofOne("eventstore-0"),
                        "east",
                        List.of("east"),
                        STATE,
                        new StatePartitions(directory + "/state", 1),
                        foreign,
                        Duration.ofSeconds(2),
                        PipelineConfig.Limits.DEFAULTS),
                new DispatcherServer.Environment(
                        new HadoopFileStore(),
                        FakeRegistry::new,
                        new ProcessRpcs(),
                        new SystemClock(Duration.ofMillis(10)),
                        new SplittableRandom(1),
                        CrashPoints.none(),
                        (where, bug) -> bugs.incrementAndGet(),
                        AttemptTracer.OFF));
    }

    private void write(String name, int from) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int i = from; i < from + EVENTS; i++) {
            lines.add("%d,c%d,p".formatted(1_000_000L + i, i));
        }
        Files.createDirectories(directory.resolve("logs"));
        Files.write(directory.resolve("logs/" + name), lines);
    }

    private static void await(BooleanSupplier what) throws Exception {
        CompletableFuture<Void> poll = new CompletableFuture<>();
        while (!what.getAsBoolean()) {
            // Waits for other threads and a real disk: there is no clock to be moved here.
            poll.completeOnTimeout(null, 10, TimeUnit.MILLISECONDS).get();
            poll = new CompletableFuture<>();
        }
    }

    @AfterEach
    void end() {
        joiner.close();
        loop.close();
    }

    /** And written down: a close that has to wait for nothing is not in need of time. */
    private static boolean allAreJoined(DispatcherStatus status) {
        return status.joined() == EVENTS && status.caughtUp() && status.inFlight() == 0;
    }

    @Test
    void itJoinsWhatItReadsAndGoesOnWhereItWas() throws Exception {
        write("a.csv", 0);
        try (DispatcherServer server = start()) {
            await(() -> allAreJoined(server.status()));
        }
        assertThat(joined).hasSize(EVENTS);
        joined.clear();
        write("b.csv", EVENTS);
        try (DispatcherServer server = start()) {
            await(() -> allAreJoined(server.status()));
            assertThat(server.status().eventsRead()).isEqualTo(EVENTS);
            assertThat(server.retryAllWaiting().get(60, TimeUnit.SECONDS)).isNull();
        }
        assertThat(joined).hasSize(EVENTS);
        assertThat(bugs).hasValue(0);
    }

    @Test
    void itTakesRepairRowsAndAnswersOnceTheyAreDurable() throws Exception {
        AddRepairRowsRequest request =
                AddRepairRowsRequest.newBuilder().addRows(repairRow("lost")).build();
        try (DispatcherServer server = start();
                GrpcChannels channels = new GrpcChannels(loop, new ProcessRpcs())) {
            assertThat(answer(channels, server, request)).isEqualTo("answered");
            await(() -> joined.contains("lost") && server.status().waitingRows() == 0);
        }
        assertThat(bugs).hasValue(0);
    }

    private String answer(
            GrpcChannels channels, DispatcherServer server, AddRepairRowsRequest request)
            throws Exception {
        CompletableFuture<String> answered = new CompletableFuture<>();
        loop.execute(
                () ->
                        channels.unary(
                                        server.address(),
                                        DispatcherGrpc.getAddRepairRowsMethod(),
                                        Duration.ofMinutes(2))
                                .call(
                                        request,
                                        new Caller.Reply<>() {
                                            @Override
                                            public void answered(AddRepairRowsResponse answer) {
                                                answered.complete("answered");
                                            }

                                            @Override
                                            public void broken(String why) {
                                                answered.complete(why);
                                            }
                                        }));
        return answered.get(3, TimeUnit.MINUTES);
    }

    /** Each is a right row with one field spoilt, behind a right one, which is not taken either. */
    @Test
    void aMalformedRepairRowIsRefusedByItsFieldAndEndsNothing() throws Exception {
        RepairRow right = repairRow("right");
        Map<String, RepairRow> spoilt = new LinkedHashMap<>();
        for (int bytes : new int[] {0, 1, EventId.BYTES - 1, EventId.BYTES + 1, 5_000}) {
            spoilt.put("id of " + bytes, withId(right, new byte[bytes]));
        }
        byte[] early = new byte[EventId.BYTES];
        early[0] = -1;
        spoilt.put("id before 1970", withId(right, early));
        spoilt.put("no event", right.toBuilder().clearEvent().build());
        for (int bytes : new int[] {0, 1, CommitToken.BYTES - 1, 2 * CommitToken.BYTES}) {
            spoilt.put("token of " + bytes, withToken(right, new byte[bytes]));
        }
        byte[] noSlot = new byte[CommitToken.BYTES];
        noSlot[7] = 1;
        spoilt.put("token without slot", withToken(right, noSlot));
        byte[] negative = Packed.tokens(List.of(new CommitToken(1, 2, 3))).toByteArray();
        negative[4] = -1;
        spoilt.put("token of a negative generation", withToken(right, negative));
        try (DispatcherServer server = start();
                GrpcChannels channels = new GrpcChannels(loop, new ProcessRpcs())) {
            for (Map.Entry<String, RepairRow> row : spoilt.entrySet()) {
                assertThat(
                                answer(
                                        channels,
                                        server,
                                        AddRepairRowsRequest.newBuilder()
                                                .addRows(right)
                                                .addRows(row.getValue())
                                                .build()))
                        .as(row.getKey())
                        .contains("INVALID_ARGUMENT")
                        .contains(
                                row.getKey().startsWith("token")
                                        ? "rows[1].lost_token"
                                        : "rows[1].event.id");
            }
            assertThat(bugs).hasValue(0);
            assertThat(joined).as("of no request").isEmpty();
            assertThat(
                            answer(
                                    channels,
                                    server,
                                    AddRepairRowsRequest.newBuilder().addRows(right).build()))
                    .isEqualTo("answered");
            await(() -> joined.contains("right"));
        }
        assertThat(bugs).hasValue(0);
    }

    /** Whatever bytes come: each request has an answer, and the dispatcher goes on. */
    @Test
    void aRequestWithBytesSpoiltAtRandomIsAnsweredAndEndsNothing() throws Exception {
        byte[] right =
                AddRepairRowsRequest.newBuilder()
                        .addRows(repairRow("a"))
                        .addRows(repairRow("b"))
                        .build()
                        .toByteArray();
        SplittableRandom random = new SplittableRandom(1);
        int sent = 0;
        try (DispatcherServer server = start();
                GrpcChannels channels = new GrpcChannels(loop, new ProcessRpcs())) {
            for (int i = 0; i < 600; i++) {
                byte[] bytes = right.clone();
                for (int n = 1 + random.nextInt(3); n > 0; n--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                try {
                    AddRepairRowsRequest request = AddRepairRowsRequest.parseFrom(bytes);
                    sent++;
                    assertThat(answer(channels, server, request))
                            .matches("answered|.*INVALID_ARGUMENT.*");
                } catch (InvalidProtocolBufferException e) {
                    // gRPC refuses it by itself.
                }
            }
            assertThat(sent).isGreaterThan(100);
            assertThat(bugs).hasValue(0);
        }
        assertThat(bugs).hasValue(0);
    }

    private static RepairRow repairRow(String name) {
        ByteString key = ByteString.copyFromUtf8(name);
        return RepairRow.newBuilder()
                .setEvent(
                        new LogEvent(
                                        new EventId(1, 2, 3, -1),
                                        key,
                                        name,
                                        key,
                                        "p",
                                        ByteString.EMPTY)
                                .toProto())
                .setLostToken(Packed.tokens(List.of(new CommitToken(1, 2, 3))))
                .build();
    }

    private static RepairRow withId(RepairRow row, byte[] id) {
        return row.toBuilder()
                .setEvent(row.getEvent().toBuilder().setId(ByteString.copyFrom(id)))
                .build();
    }

    private static RepairRow withToken(RepairRow row, byte[] token) {
        return row.toBuilder().setLostToken(ByteString.copyFrom(token)).build();
    }
}
