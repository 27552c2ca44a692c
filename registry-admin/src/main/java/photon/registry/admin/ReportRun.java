package photon.registry.admin;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.id.Packed;
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
import photon.registry.admin.RestoreCalls.RefusedException;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputDirectory.StoredManifest;
import photon.storage.output.RetiredIncarnations;

/**
 * Tells a registry that was restored from a backup all that one datacenter has published: seals
 * every incarnation of its output directory, compares manifests and published files, and brings
 * each id with its token into its shard (docs/protocol.md section 10). What is refused has changed
 * nothing in the registry: all that can be wrong is asked before the first id is sent. Each step
 * may be repeated.
 */
public final class ReportRun {
    private static final int IDS_AT_ONCE = 4_096;

    private final OutputDirectory output;
    private final UUID pipeline;
    private final ShardMap map;
    private final String datacenter;
    private final long keptSinceMicros;
    private final RestoreCalls calls;
    private final Voids voids;

    /** The restore has ended, or what has been joined since does not matter. */
    private boolean mayBeLive;

    private final Map<Shard, List<Manifest.Entry>> waiting = new LinkedHashMap<>();
    private final Map<LoadOutcome, Long> outcomes = new EnumMap<>(LoadOutcome.class);

    /** Where published events go that another token holds, or may have held. */
    public interface Voids {
        /**
         * @param token that it is published with
         * @param forgotten true: the registry knows nothing of that id any more
         */
        void add(EventId id, CommitToken token, boolean forgotten) throws IOException;

        /** From now on they last. */
        void sync() throws IOException;
    }

    /**
     * What came of it.
     *
     * @param reported the registry has noted the report, now or before
     * @param alreadyDone nothing was done: it had reported before
     * @param put ids that the registry did not know
     * @param same ids that it knew with this token
     * @param replaced ids that the backup had with another token
     * @param tooOld ids below the boundary
     * @param taken published, but another token holds the id: 0 unless the pipeline takes commits
     * @param forgotten published, and dropped by the boundary since the pipeline takes commits: 0
     *     unless it does
     */
    public record Result(
            boolean reported,
            boolean alreadyDone,
            long put,
            long same,
            long replaced,
            long tooOld,
            long taken,
            long forgotten,
            RestoreStatus status) {
        /** Published events that may not be the registry's. */
        public long voids() {
            return taken + forgotten;
        }

        /** Of all that is published. */
        public long ids() {
            return put + same + replaced + tooOld + voids();
        }
    }

    /**
     * @param map the pipeline's as the restored registry has it
     * @param keptSinceMicros from when on published files must be there, by the timestamps of their
     *     events; {@link Long#MIN_VALUE}: always
     */
    public ReportRun(
            OutputDirectory output,
            UUID pipeline,
            ShardMap map,
            String datacenter,
            long keptSinceMicros,
            RestoreCalls calls,
            Voids voids) {
        this.output = output;
        this.pipeline = pipeline;
        this.map = map;
        this.datacenter = datacenter;
        this.keptSinceMicros = keptSinceMicros;
        this.calls = calls;
        this.voids = voids;
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
                                            : "its restore has not reached that step, "
                                                    + status.getPhase()));
        }
        if (isDone(status)) {
            return result(true, true, status);
        }
        List<Incarnation> incarnations = output.incarnations();
        // Before anything is sealed, which ends what is live.
        status = step(status, report(incarnations).setCheck(true));
        if (isDone(status)) {
            // Another one was quicker: what has been made since may be live.
            return result(true, true, status);
        }
        for (Incarnation incarnation : incarnations) {
            output.seal(incarnation);
        }
        verify(incarnations);
        if (!output.incarnations().equals(incarnations)) {
            throw new RefusedException(
                    "a joiner created a new work directory in the meantime: stop all joiners, and report again");
        }
        // All that took its time: another may have ended the restore.
        status = calls.look();
        mayBeLive = status.getPhase() == RestorePhase.RESTORE_DONE || acceptVoid;
        if (status.getPhase() == RestorePhase.RESTORE_DONE && !acceptVoid) {
            forEachEntry(incarnations, LoadKind.LOAD_LOOK);
            if (result(false, false, status).voids() > 0) {
                voids.sync();
                outcomes.keySet()
                        .retainAll(Set.of(LoadOutcome.LOAD_TAKEN, LoadOutcome.LOAD_FORGOTTEN));
                return result(false, false, status);
            }
            outcomes.clear();
        }
        forEachEntry(incarnations, LoadKind.LOAD_PUBLISHED);
        voids.sync();
        if (result(false, false, status).voids() > 0 && !acceptVoid) {
            return result(false, false, status);
        }
        RestoreReported.Builder reported =
                report(incarnations).setIds(result(true, false, status).ids());
        return result(true, false, step(status, reported));
    }

    private RestoreReported.Builder report(List<Incarnation> incarnations) throws IOException {
        RetiredIncarnations retired = output.retirement().retired();
        TreeMap<Integer, Integer> slots = new TreeMap<>(retired.highest());
        incarnations.forEach(one -> slots.merge(one.slot(), one.generation(), Math::max));
        RestoreReported.Builder reported =
                RestoreReported.newBuilder()
                        .setPipeline(RegistryProtos.bytes(pipeline))
                        .setDatacenter(datacenter)
                        .setOutputId(output.identity().outputId())
                        .setSettledBelowMicros(retired.sum().lastMicros() + 1);
        slots.forEach(
                (slot, generation) ->
                        reported.addSlots(
                                SlotSeen.newBuilder().setSlot(slot).setGeneration(generation)));
        return reported;
    }

    private RestoreStatus step(RestoreStatus status, RestoreReported.Builder reported)
            throws LeaderCalls.UndecidedException, RefusedException {
        return calls.step(
                RestoreRequest.newBuilder().setRestore(status.getRestore()).setReported(reported));
    }

    private boolean isDone(RestoreStatus status) {
        return status.getReportsList().stream()
                .anyMatch(
                        report ->
                                report.getPipeline().equals(RegistryProtos.bytes(pipeline))
                                        && report.getDatacenter().equals(datacenter)
                                        && report.getState() == ReportState.REPORT_DONE);
    }

    /** All are sealed: nothing is published any more. */
    private void verify(List<Incarnation> incarnations) throws IOException, RefusedException {
        for (Incarnation incarnation : incarnations) {
            for (StoredManifest stored : output.storedManifests(incarnation)) {
                Manifest manifest = stored.read();
                Optional<String> wrong = output.verify(manifest, keptSinceMicros);
                if (wrong.isPresent()) {
                    throw new RefusedException(
                            "manifest %d of incarnation %s: %s"
                                    .formatted(manifest.sequence(), incarnation, wrong.get()));
                }
            }
        }
        List<String> strangers = output.strangers();
        if (!strangers.isEmpty()) {
            throw new RefusedException(
                    "%s is a published file without a manifest, so its events could be joined twice. Restore its manifest, or remove the file from the output"
                            .formatted(strangers.get(0)));
        }
    }

    private void forEachEntry(List<Incarnation> incarnations, LoadKind kind)
            throws IOException, LeaderCalls.UndecidedException, RefusedException {
        for (Incarnation incarnation : incarnations) {
            for (StoredManifest stored : output.storedManifests(incarnation)) {
                for (Manifest.Entry entry : stored.read().entries()) {
                    Shard shard = map.owner(entry.id());
                    List<Manifest.Entry> rows =
                            waiting.computeIfAbsent(shard, s -> new ArrayList<>());
                    rows.add(entry);
                    if (rows.size() >= IDS_AT_ONCE) {
                        send(shard, kind);
                    }
                }
            }
        }
        for (Shard shard : List.copyOf(waiting.keySet())) {
            send(shard, kind);
        }
    }

    private void send(Shard shard, LoadKind kind)
            throws IOException, LeaderCalls.UndecidedException, RefusedException {
        List<Manifest.Entry> rows = waiting.remove(shard);
        if (rows == null || rows.isEmpty()) {
            return;
        }
        LoadIdsResponse answer =
                calls.load(
                        LoadIdsRequest.newBuilder()
                                .setShard(RegistryProtos.shardRef(pipeline, shard))
                                .setKind(kind)
                                .setIds(Packed.ids(rows.stream().map(Manifest.Entry::id).toList()))
                                .setTokens(tokens(rows)));
        if (answer.getLive() && !mayBeLive && kind == LoadKind.LOAD_PUBLISHED) {
            throw new RefusedException(
                    "the restore ended in the meantime, without this datacenter: report again");
        }
        if (answer.getOutcomes().size() != rows.size()) {
            throw new RefusedException(
                    "shard %s answers for %d of %d ids"
                            .formatted(shard, answer.getOutcomes().size(), rows.size()));
        }
        for (int i = 0; i < rows.size(); i++) {
            LoadOutcome outcome = LoadOutcome.forNumber(answer.getOutcomes().byteAt(i));
            if (outcome == null || outcome == LoadOutcome.LOAD_WRONG_SHARD) {
                throw new RefusedException("the shard map changed in the meantime: report again");
            }
            outcomes.merge(outcome, 1L, Long::sum);
            boolean forgotten = outcome == LoadOutcome.LOAD_FORGOTTEN;
            if (forgotten || outcome == LoadOutcome.LOAD_TAKEN) {
                voids.add(rows.get(i).id(), rows.get(i).token(), forgotten);
            }
        }
    }

    private static ByteString tokens(List<Manifest.Entry> rows) {
        return Packed.tokens(rows.stream().map(Manifest.Entry::token).toList());
    }

    private long count(LoadOutcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    private Result result(boolean reported, boolean alreadyDone, RestoreStatus status) {
        return new Result(
                reported,
                alreadyDone,
                count(LoadOutcome.LOAD_PUT),
                count(LoadOutcome.LOAD_SAME),
                count(LoadOutcome.LOAD_REPLACED),
                count(LoadOutcome.LOAD_TOO_OLD),
                count(LoadOutcome.LOAD_TAKEN),
                count(LoadOutcome.LOAD_FORGOTTEN),
                status);
    }
}
