package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.StateFile;
import photon.proto.v1.CutFile;
import photon.proto.v1.CutGroupRequest;
import photon.proto.v1.CutGroupResponse;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.Progress;
import photon.proto.v1.ReadCutRequest;
import photon.proto.v1.ReadCutResponse;
import photon.proto.v1.RegistryBackupGrpc;
import photon.registry.admin.backup.BackupPlace;
import photon.registry.api.RegistryProtos;

final class BackupRunTest {
    /** A backup that waited for it would be noticed by the whole build. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @TempDir Path root;

    @Test
    void aRegistryThatIsBlankOrBeingRestoredGivesNoBackup() throws IOException {
        assertThat(BackupRun.useless(new ControlState())).contains("has no pipeline");
        assertThat(BackupRun.useless(new RestoredRegistry().control()))
                .contains("is being restored");
    }

    /** With a shard that is dropped at each look, while another server is down. */
    private static final class ChangingServer extends RegistryBackupGrpc.RegistryBackupImplBase {
        private final ControlState control = new ControlState();
        private byte[] cut = new byte[0];
        private int pipelines;

        @Override
        public void cutGroup(CutGroupRequest request, StreamObserver<CutGroupResponse> to) {
            CutGroupResponse.Builder answer = CutGroupResponse.newBuilder();
            if (request.hasShard()) {
                answer.setProgress(Progress.NO_SUCH_SHARD);
            } else {
                makeAnother();
                answer.setProgress(Progress.DECIDED)
                        .setTerm(1)
                        .setIndex(pipelines)
                        .addFiles(
                                CutFile.newBuilder().setName(StateFile.NAME).setBytes(cut.length));
            }
            to.onNext(answer.build());
            to.onCompleted();
        }

        private void makeAnother() {
            pipelines++;
            byte[] unused =
                    control.apply(
                            pipelines,
                            ByteBuffer.wrap(
                                    ControlEntries.openPipeline(
                                            OpenPipelineRequest.newBuilder()
                                                    .setName("p" + pipelines)
                                                    .setUuid(
                                                            RegistryProtos.bytes(
                                                                    new UUID(1, pipelines)))
                                                    .setIdentityFingerprint("f")
                                                    .setShards(1)
                                                    .build())));
            try (InputStream in = MemorySnapshot.of(control, null).file(StateFile.NAME).open()) {
                cut = in.readAllBytes();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void readCut(ReadCutRequest request, StreamObserver<ReadCutResponse> to) {
            int from = (int) request.getOffset();
            int length = Math.min(cut.length - from, request.getLimit());
            to.onNext(
                    ReadCutResponse.newBuilder()
                            .setProgress(Progress.DECIDED)
                            .setBytes(ByteString.copyFrom(cut, from, length))
                            .build());
            to.onCompleted();
        }
    }

    @Test
    void aShardThatIsDroppedMeanwhileBeginsABackupAnewAlsoWhereAServerIsDown() throws Exception {
        Server server =
                Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
                        .addService(new ChangingServer())
                        .build()
                        .start();
        HostPort works = new HostPort("127.0.0.1", server.getPort());
        HostPort down = new HostPort("127.0.0.1", 1);
        BackupPlace place = BackupPlace.local(root.resolve("backup"));
        try (ServerCalls calls = new ServerCalls(RpcSecurity.PLAINTEXT)) {
            BackupRun run = new BackupRun(List.of(works, down), PATIENCE, calls);
            assertThatThrownBy(() -> run.make(place))
                    .isInstanceOf(BackupRun.FailedException.class)
                    .hasMessageContaining(
                            "a pipeline was made or dropped during the backup, 3 times");
            assertThat(root).isEmptyDirectory();
        } finally {
            server.shutdownNow();
        }
    }
}
