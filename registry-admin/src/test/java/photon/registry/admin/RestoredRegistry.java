package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import photon.core.hash.Sha256;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.StateFile;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.LoadIdsRequest;
import photon.proto.v1.LoadIdsResponse;
import photon.proto.v1.LoadKind;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.Progress;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.proto.v1.RestoreBegin;
import photon.proto.v1.RestoreLoaded;
import photon.proto.v1.RestorePiece;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/** The states of a registry that was brought back from a backup, asked without any server. */
final class RestoredRegistry implements Deciders {
    static final UUID PIPELINE = new UUID(4, 2);
    static final Shard SHARD = new Shard(1, 0);
    static final String FINGERPRINT = "f";
    private static final ByteString RESTORE = RegistryProtos.bytes(new UUID(9, 9));

    /** What was asked, in order: steps and kinds of loads. */
    final List<String> asked = new ArrayList<>();

    final ShardState shard = new ShardState();

    /** Told of each as it is asked. */
    Consumer<String> meanwhile = what -> {};

    private ControlState control = new ControlState();
    private long index;

    /** Waits for the reports of east, which had one joiner, and west. */
    RestoredRegistry() throws IOException {
        open("ads", PIPELINE);
        register("east");
        byte[] backup;
        try (InputStream in = MemorySnapshot.of(control, null).file(StateFile.NAME).open()) {
            backup = in.readAllBytes();
        }
        control = new ControlState();
        step(
                RestoreRequest.newBuilder()
                        .setBegin(
                                RestoreBegin.newBuilder()
                                        .setBytes(backup.length)
                                        .setSha256(Sha256.of(backup))
                                        .addDatacenters("east")
                                        .addDatacenters("west")));
        step(
                RestoreRequest.newBuilder()
                        .setPiece(RestorePiece.newBuilder().setBytes(ByteString.copyFrom(backup))));
        apply(
                ShardEntries.restoreHead(
                        map(), SHARD, control.lostSlots(), Long.MIN_VALUE, Long.MIN_VALUE));
        step(RestoreRequest.newBuilder().setLoaded(RestoreLoaded.getDefaultInstance()));
    }

    ShardMap map() {
        return control.describe("ads").orElseThrow().map();
    }

    ControlState control() {
        return control;
    }

    void open(String name, UUID uuid) {
        decide(
                ControlEntries.openPipeline(
                        OpenPipelineRequest.newBuilder()
                                .setName(name)
                                .setUuid(RegistryProtos.bytes(uuid))
                                .setIdentityFingerprint(FINGERPRINT)
                                .setShards(1)
                                .build()));
    }

    Incarnation register(String datacenter) throws IOException {
        RegisterResponse answer =
                RegisterResponse.parseFrom(
                        decide(
                                ControlEntries.register(
                                        RegisterRequest.newBuilder()
                                                .setPipeline(RegistryProtos.bytes(PIPELINE))
                                                .setSlotName(datacenter + "/joiner-0")
                                                .setNonce(ByteString.copyFromUtf8("n" + index))
                                                .setIdentityFingerprint(FINGERPRINT)
                                                .setOutputId("output-of-" + datacenter)
                                                .build())));
        assertThat(answer.hasIncarnation()).as(answer.toString()).isTrue();
        return new Incarnation(
                answer.getIncarnation().getSlot(), answer.getIncarnation().getGeneration());
    }

    RestoreResponse step(RestoreRequest.Builder step) throws IOException {
        return RestoreResponse.parseFrom(
                decide(ControlEntries.restore(step.setRestore(RESTORE).build())));
    }

    /** What the shard's leader does when all have reported. */
    void install() {
        assertThat(control.isRestoring()).isFalse();
        apply(ShardEntries.install(map(), SHARD, control.fenceTable(PIPELINE)));
    }

    void commit(EventId id, CommitToken token) {
        apply(ShardEntries.commit(Packed.ids(List.of(id)), Packed.tokens(List.of(token))));
        assertThat(shard.lookup(id)).isEqualTo(token);
    }

    byte[] apply(byte[] entry) {
        return shard.apply(++index, ByteBuffer.wrap(entry));
    }

    private byte[] decide(byte[] entry) {
        return control.apply(++index, ByteBuffer.wrap(entry));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <Q, R> R ask(MethodDescriptor<Q, R> method, Q request, Function<R, Progress> progress) {
        MessageLite answer;
        try {
            if (request instanceof RestoreRequest step) {
                boolean check = step.hasReported() && step.getReported().getCheck();
                String what = check ? "CHECK" : step.getStepCase().name();
                asked.add(what);
                answer = RestoreResponse.parseFrom(decide(ControlEntries.restore(step)));
                meanwhile.accept(what);
            } else {
                LoadIdsRequest load = (LoadIdsRequest) request;
                asked.add(load.getKind().name());
                meanwhile.accept(load.getKind().name());
                answer = load(load);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        assertThat(progress.apply((R) answer)).isEqualTo(Progress.DECIDED);
        return (R) answer;
    }

    private LoadIdsResponse load(LoadIdsRequest request) {
        LoadIdsResponse.Builder answer = LoadIdsResponse.newBuilder().setProgress(Progress.DECIDED);
        if (request.getKind() == LoadKind.LOAD_LOOK) {
            byte[] outcomes =
                    shard.lookPublished(
                            request.getIds().asReadOnlyByteBuffer(),
                            request.getTokens().asReadOnlyByteBuffer());
            assertThat(outcomes).isNotNull();
            return answer.setLive(true).setOutcomes(ByteString.copyFrom(outcomes)).build();
        }
        ShardResults.Loaded loaded =
                ShardResults.restoreRows(
                        apply(
                                ShardEntries.restorePublished(
                                        request.getIds(), request.getTokens())));
        return answer.setLive(loaded.live()).setOutcomes(loaded.outcomes()).build();
    }
}
