package photon.cli.registry;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import photon.cli.registry.RestoreCalls.RefusedException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
import photon.idregistry.api.RegistryClient.Shard;
import photon.idregistry.control.ControlState;
import photon.idregistry.shard.ShardMap;
import photon.proto.v1.LoadIdsRequest;
import photon.proto.v1.LoadIdsResponse;
import photon.proto.v1.LoadKind;
import photon.proto.v1.LoadOutcome;
import photon.proto.v1.ReportState;
import photon.proto.v1.RestorePhase;
import photon.proto.v1.RestoreReported;
import photon.proto.v1.RestoreRequest;
import photon.proto.v1.RestoreStatus;
import photon.proto.v1.SlotSeen;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputDirectory.StoredManifest;

/**
 * Tells a registry that was restored from a backup all that one datacenter has published: seals
 * every incarnation of its output directory, compares manifests and published files, and brings
 * each id with its token into its shard (docs/protocol.md section 10). Each step may be repeated.
 */
public final class ReportRun {
    private static final int IDS_AT_ONCE = 4_096;

    private final OutputDirectory output;
    private final UUID pipeline;
    private final ShardMap map;
    private final String datacenter;
    private final RestoreCalls calls;
    private final Map<Shard, List<Manifest.Entry>> waiting = new LinkedHashMap<>();
    private final TreeMap<Integer, Integer> slots = new TreeMap<>();
    private final Map<LoadOutcome, Long> outcomes = new EnumMap<>(LoadOutcome.class);
    private final List<VoidEvent> voids = new ArrayList<>();

    /**
     * A published event whose id another token holds.
     *
     * @param token that it is published with
     */
    public record VoidEvent(EventId id, CommitToken token) {}

    /**
     * What came of it.
     *
     * @param alreadyDone nothing was done: it had reported before
     * @param put ids that the registry did not know
     * @param same ids that it knew with this token
     * @param replaced ids that the backup had with another token
     * @param tooOld ids below the boundary
     * @param voids published, but not the registry's: empty unless the pipeline takes commits
     */
    public record Result(
            boolean alreadyDone,
            long put,
            long same,
            long replaced,
            long tooOld,
            List<VoidEvent> voids,
            RestoreStatus status) {
        public Result {
            voids = List.copyOf(voids);
        }

        /** Of all that is published. */
        public long ids() {
            return put + same + replaced + tooOld;
        }
    }

    /**
     * @param map the pipeline's as the restored registry has it
     */
    public ReportRun(
            OutputDirectory output,
            UUID pipeline,
            ShardMap map,
            String datacenter,
            RestoreCalls calls) {
        this.output = output;
        this.pipeline = pipeline;
        this.map = map;
        this.datacenter = datacenter;
        this.calls = calls;
    }

    /**
     * @param acceptVoid report although published events are void
     * @throws RefusedException if the registry does not wait for a report, or the output is not as
     *     its manifests say
     */
    public Result run(boolean acceptVoid)
            throws IOException, LeaderCalls.UndecidedException, RefusedException {
        RestoreStatus status = calls.look();
        if (status.getPhase() != RestorePhase.RESTORE_REPORTING
                && status.getPhase() != RestorePhase.RESTORE_DONE) {
            throw new RefusedException(
                    "the registry waits for no report: %s"
                            .formatted(
                                    status.getPhase() == RestorePhase.RESTORE_PHASE_UNSPECIFIED
                                            ? "it was not restored from a backup"
                                            : "its restore has not come so far, "
                                                    + status.getPhase()));
        }
        if (isDone(status)) {
            return result(true, status);
        }
        for (Incarnation incarnation : output.incarnations()) {
            slots.merge(incarnation.slot(), incarnation.generation(), Math::max);
            output.seal(incarnation);
            report(incarnation);
        }
        List<String> strangers = output.strangers();
        if (!strangers.isEmpty()) {
            throw new RefusedException(
                    "%s is a published file that no manifest knows: its events could be joined twice. Put its manifest back, or take it out of the output"
                            .formatted(strangers.get(0)));
        }
        for (Shard shard : new ArrayList<>(waiting.keySet())) {
            send(shard);
        }
        if (!voids.isEmpty() && !acceptVoid) {
            return result(false, status);
        }
        RestoreReported.Builder reported =
                RestoreReported.newBuilder()
                        .setPipeline(ControlState.bytes(pipeline))
                        .setDatacenter(datacenter)
                        .setOutputId(output.identity().outputId())
                        .setIds(result(false, status).ids());
        slots.forEach(
                (slot, generation) ->
                        reported.addSlots(
                                SlotSeen.newBuilder().setSlot(slot).setGeneration(generation)));
        return result(
                false,
                calls.step(
                        RestoreRequest.newBuilder()
                                .setRestore(status.getRestore())
                                .setReported(reported)));
    }

    private boolean isDone(RestoreStatus status) {
        return status.getReportsList().stream()
                .anyMatch(
                        report ->
                                report.getPipeline().equals(ControlState.bytes(pipeline))
                                        && report.getDatacenter().equals(datacenter)
                                        && report.getState() == ReportState.REPORT_DONE);
    }

    private void report(Incarnation incarnation)
            throws IOException, LeaderCalls.UndecidedException, RefusedException {
        Set<String> known = new HashSet<>();
        for (StoredManifest stored : output.storedManifests(incarnation)) {
            Manifest manifest = stored.read();
            Optional<String> wrong = output.verify(manifest);
            if (wrong.isPresent()) {
                throw new RefusedException(
                        "manifest %d of incarnation %s: %s"
                                .formatted(manifest.sequence(), incarnation, wrong.get()));
            }
            manifest.published().forEach(file -> known.add(file.path()));
            for (Manifest.Entry entry : manifest.entries()) {
                add(entry);
            }
        }
        for (String path : output.published(incarnation)) {
            if (!known.contains(path)) {
                throw new RefusedException(
                        "%s is a published file of incarnation %s that no manifest knows: its events could be joined twice"
                                .formatted(path, incarnation));
            }
        }
    }

    private void add(Manifest.Entry entry) throws LeaderCalls.UndecidedException, RefusedException {
        Shard shard = map.owner(entry.id());
        List<Manifest.Entry> rows = waiting.computeIfAbsent(shard, s -> new ArrayList<>());
        rows.add(entry);
        if (rows.size() >= IDS_AT_ONCE) {
            send(shard);
        }
    }

    private void send(Shard shard) throws LeaderCalls.UndecidedException, RefusedException {
        List<Manifest.Entry> rows = waiting.remove(shard);
        if (rows == null || rows.isEmpty()) {
            return;
        }
        LoadIdsResponse answer =
                calls.load(
                        LoadIdsRequest.newBuilder()
                                .setShard(ControlState.shardRef(pipeline, shard))
                                .setKind(LoadKind.LOAD_PUBLISHED)
                                .setIds(Packed.ids(rows.stream().map(Manifest.Entry::id).toList()))
                                .setTokens(tokens(rows)));
        if (answer.getOutcomes().size() != rows.size()) {
            throw new RefusedException(
                    "shard %s answers for %d of %d ids"
                            .formatted(shard, answer.getOutcomes().size(), rows.size()));
        }
        for (int i = 0; i < rows.size(); i++) {
            int outcome = answer.getOutcomes().byteAt(i);
            if (outcome == LoadOutcome.LOAD_WRONG_SHARD_VALUE) {
                throw new RefusedException("the shard map has changed meanwhile: report again");
            }
            outcomes.merge(LoadOutcome.forNumber(outcome), 1L, Long::sum);
            if (outcome == LoadOutcome.LOAD_TAKEN_VALUE) {
                voids.add(new VoidEvent(rows.get(i).id(), rows.get(i).token()));
            }
        }
    }

    private static ByteString tokens(List<Manifest.Entry> rows) {
        return Packed.tokens(rows.stream().map(Manifest.Entry::token).toList());
    }

    private long count(LoadOutcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    private Result result(boolean alreadyDone, RestoreStatus status) {
        return new Result(
                alreadyDone,
                count(LoadOutcome.LOAD_PUT),
                count(LoadOutcome.LOAD_SAME),
                count(LoadOutcome.LOAD_REPLACED),
                count(LoadOutcome.LOAD_TOO_OLD),
                voids,
                status);
    }

    /** The void events as lines: id, token. */
    public static void write(List<VoidEvent> voids, OutputStream out) throws IOException {
        for (VoidEvent one : voids) {
            out.write(
                    (one.id() + "\t" + one.token() + "\n")
                            .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
    }
}
