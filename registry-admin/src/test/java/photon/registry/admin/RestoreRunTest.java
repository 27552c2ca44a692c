package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.proto.v1.LoadIdsRequest;
import photon.proto.v1.LoadIdsResponse;
import photon.proto.v1.LoadOutcome;
import photon.proto.v1.Progress;
import photon.proto.v1.RestoreBegin;
import photon.proto.v1.RestorePhase;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreResponse;
import photon.proto.v1.RestoreStatus;
import photon.registry.admin.backup.Backup;
import photon.registry.admin.backup.BackupPlace;

/** What is sent of a backup, and what a shard's answer means. */
final class RestoreRunTest {
    @TempDir Path root;

    /** A registry that has the backup's control group already. */
    private static final class Loading implements Deciders {
        final List<RestoreRequest> steps = new ArrayList<>();
        final List<CommitToken> loaded = new ArrayList<>();
        final LoadOutcome outcome;

        final int featureLevelTooLow;

        Loading(LoadOutcome outcome) {
            this(outcome, 0);
        }

        Loading(LoadOutcome outcome, int featureLevelTooLow) {
            this.outcome = outcome;
            this.featureLevelTooLow = featureLevelTooLow;
        }

        @Override
        @SuppressWarnings("unchecked")
        public <Q, R> R ask(
                MethodDescriptor<Q, R> method, Q request, Function<R, Progress> progress) {
            MessageLite answer;
            if (request instanceof RestoreRequest step) {
                steps.add(step);
                answer =
                        RestoreResponse.newBuilder()
                                .setVerdict(RestoreResponse.Verdict.STANDS)
                                .setStatus(
                                        RestoreStatus.newBuilder()
                                                .setPhase(RestorePhase.RESTORE_LOADING))
                                .build();
            } else {
                loaded.addAll(Packed.tokens(((LoadIdsRequest) request).getTokens()));
                int ids = ((LoadIdsRequest) request).getIds().size() / EventId.BYTES;
                byte[] outcomes = new byte[ids];
                Arrays.fill(outcomes, (byte) outcome.getNumber());
                answer =
                        LoadIdsResponse.newBuilder()
                                .setOutcomes(ByteString.copyFrom(outcomes))
                                .setFeatureLevelTooLow(featureLevelTooLow)
                                .build();
            }
            return (R) answer;
        }
    }

    /** A backup has them in its tokens, and needs to know nothing of them. */
    @Test
    void whatIsHeldUnmatchedOrIsToBeIsRestoredAsItWas() throws Exception {
        for (CommitToken token :
                List.of(new CommitToken(1, 1, 1).asUnmatched(), CommitToken.JOIN_UNMATCHED)) {
            Backup backup =
                    WrittenBackup.write(
                            BackupPlace.local(root.resolve(token.toString())),
                            new EventId(5, 1, 2, 3),
                            token);
            Loading registry = new Loading(LoadOutcome.LOAD_PUT);
            run(backup, Instant.EPOCH, registry).run();
            assertThat(registry.loaded).containsExactly(token);
        }
    }

    /** Else replicas would follow different rules. */
    @Test
    void idsThatAServerDoesNotUnderstandEndTheRestore() throws Exception {
        Deciders registry = new Loading(LoadOutcome.LOAD_PUT, 3);
        RestoreRun run =
                new RestoreRun(backup(), Set.of("east"), Instant.EPOCH, new RestoreCalls(registry));
        assertThatThrownBy(run::run)
                .isInstanceOf(RestoreCalls.RefusedException.class)
                .hasMessage(
                        "ids that are joined unmatched need feature level 4, and the registry stands at 3: run 'photon upgrade finalize' first");
    }

    private Backup backup() throws IOException {
        return WrittenBackup.write(BackupPlace.local(root.resolve("backup")));
    }

    private static RestoreRun run(Backup backup, Instant begun, Loading registry) {
        return new RestoreRun(backup, Set.of("east"), begun, new RestoreCalls(registry));
    }

    /** Else its ids would be missing, and be accepted again. */
    @Test
    void anIdThatItsShardDoesNotOwnEndsTheRestore() throws Exception {
        Loading registry = new Loading(LoadOutcome.LOAD_WRONG_SHARD);
        RestoreRun run = run(backup(), Instant.EPOCH, registry);
        assertThatThrownBy(run::run)
                .isInstanceOf(RestoreCalls.RefusedException.class)
                .hasMessageContaining("shard 1/0 does not own an id");
        assertThat(registry.steps).noneMatch(RestoreRequest::hasLoaded);
    }

    @Test
    void aLaterRestoreOfTheSameBackupIsNumberedHigher() throws Exception {
        Backup backup = backup();
        List<Integer> above = new ArrayList<>();
        for (String begun :
                List.of(
                        "1999-01-01T00:00:00Z",
                        "2026-05-01T00:00:00Z",
                        "2026-05-01T00:00:01Z",
                        "2400-01-01T00:00:00Z")) {
            Loading registry = new Loading(LoadOutcome.LOAD_PUT);
            run(backup, Instant.parse(begun), registry).run();
            assertThat(registry.steps).anyMatch(RestoreRequest::hasLoaded);
            RestoreBegin begin = registry.steps.get(0).getBegin();
            above.add(begin.getAbove());
        }
        assertThat(above).isSorted().startsWith(0).endsWith(2_000_000_000);
        assertThat(above.get(2) - above.get(1)).isEqualTo(1);
    }
}
