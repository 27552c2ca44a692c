package photon.registry.admin;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import photon.core.hash.Sha256;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.idregistry.control.ControlState;
import photon.idregistry.control.PipelineView;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.IncarnationInfo;
import photon.proto.v1.IncarnationState;
import photon.registry.admin.backup.Backup;
import photon.registry.api.RegistryClient.Shard;

/**
 * Compares a backup with one that was made of a registry into which it was restored, and which
 * waits for reports. What a restore has to change is not a difference: versions of maps are higher,
 * incarnations are fenced, and those that were repaired are repaired again (docs/protocol.md
 * section 10). Nor is what the boundary passes in a restored registry: a backup has its shards as
 * they were before the limit was what the backup says, up to which each boundary moves on.
 */
public final class BackupComparison {
    /**
     * A shard as the backup has it.
     *
     * @param name PIPELINE/EPOCH/SHARD
     * @param ids that the boundary will not have passed
     */
    public record ShardCount(String name, long ids) {}

    /**
     * What was found.
     *
     * @param shards of the backup
     * @param differences for people; empty: the restored registry knows what the backup does
     */
    public record Outcome(List<ShardCount> shards, List<String> differences) {
        public Outcome {
            shards = List.copyOf(shards);
            differences = List.copyOf(differences);
        }
    }

    private BackupComparison() {}

    /**
     * @param restored of the registry after the restore
     */
    public static Outcome of(Backup backup, Backup restored) throws IOException {
        ControlState expected = backup.control();
        ControlState found = restored.control();
        List<String> differences = new ArrayList<>(differences(expected, found));
        List<ShardCount> shards = new ArrayList<>();
        for (PipelineView pipeline : expected.pipelines()) {
            boolean there = found.describe(pipeline.name()).isPresent();
            for (Shard shard : pipeline.map().shards()) {
                String name = pipeline.name() + "/" + shard.epoch() + "/" + shard.number();
                Rows rows = Rows.of(backup, pipeline.uuid(), shard, pipeline.limitMicros());
                shards.add(new ShardCount(name, rows.ids()));
                if (there) {
                    rows.differenceFrom(Rows.of(restored, pipeline.uuid(), shard, rows.fromMicros))
                            .ifPresent(what -> differences.add("shard " + name + ": " + what));
                }
            }
        }
        return new Outcome(shards, differences);
    }

    /** Of control groups. */
    static List<String> differences(ControlState expected, ControlState found) {
        SortedMap<String, String> before = described(expected);
        SortedMap<String, String> after = described(found);
        List<String> differences = new ArrayList<>();
        before.forEach(
                (what, is) -> {
                    String now = after.remove(what);
                    if (!is.equals(now)) {
                        differences.add(
                                "%s: the backup has %s, the restored registry %s"
                                        .formatted(what, is, now == null ? "none" : now));
                    }
                });
        after.forEach(
                (what, is) ->
                        differences.add(
                                "%s: the backup has none, the restored registry %s"
                                        .formatted(what, is)));
        return differences;
    }

    private static SortedMap<String, String> described(ControlState control) {
        SortedMap<String, String> all = new TreeMap<>();
        for (PipelineView pipeline : control.pipelines()) {
            String name = "pipeline " + pipeline.name();
            all.put(
                    name,
                    "UUID %s, fingerprint %s, epochs %s, %s, datacenters %s, retired %s"
                            .formatted(
                                    pipeline.uuid(),
                                    pipeline.identityFingerprint(),
                                    pipeline.map().epochs(),
                                    pipeline.settings(),
                                    pipeline.datacenters(),
                                    pipeline.retired()));
            for (IncarnationInfo one : control.incarnations(pipeline.uuid(), "")) {
                all.put(
                        "%s, incarnation %d/%d"
                                .formatted(
                                        name,
                                        one.getIncarnation().getSlot(),
                                        one.getIncarnation().getGeneration()),
                        "%s of output %s, %s"
                                .formatted(one.getSlotName(), one.getOutputId(), state(one)));
            }
        }
        control.dropped()
                .forEach(
                        dropped ->
                                all.put(
                                        "dropped pipeline " + RegistryView.uuid(dropped.getUuid()),
                                        "it"));
        return all;
    }

    /** A restore opens what was repaired. */
    private static String state(IncarnationInfo incarnation) {
        IncarnationState state = incarnation.getState();
        return state == IncarnationState.OPEN || state == IncarnationState.REPAIRED
                ? "open or repaired"
                : state.toString();
    }

    /**
     * A shard's ids with their holders.
     *
     * @param hash of all, in id order
     * @param fromMicros older ids are left out: the boundary has passed them, or will
     */
    record Rows(
            long ids, String hash, long fromMicros, long boundaryMicros, long maxAcceptedMicros) {
        static Rows of(Backup backup, UUID pipeline, Shard shard, long limitMicros)
                throws IOException {
            MessageDigest digest = Sha256.begin();
            long[] ids = new long[1];
            ShardState small =
                    backup.forEachPage(
                            pipeline,
                            shard,
                            (state, page) ->
                                    ids[0] +=
                                            add(
                                                    digest,
                                                    Math.max(limitMicros, state.boundaryMicros()),
                                                    page));
            return new Rows(
                    ids[0],
                    HexFormat.of().formatHex(digest.digest()),
                    Math.max(limitMicros, small.boundaryMicros()),
                    small.boundaryMicros(),
                    small.maxAcceptedMicros());
        }

        /** What the boundary has passed may be there still, and is not restored. */
        private static int add(MessageDigest digest, long fromMicros, Backup.Page page) {
            int added = 0;
            ByteBuffer ids = ByteBuffer.wrap(page.ids());
            for (int row = 0; row < page.rows(); row++) {
                ids.position(row * EventId.BYTES);
                if (EventId.read(ids).micros() >= fromMicros) {
                    digest.update(page.ids(), row * EventId.BYTES, EventId.BYTES);
                    digest.update(page.tokens(), row * CommitToken.BYTES, CommitToken.BYTES);
                    added++;
                }
            }
            return added;
        }

        Optional<String> differenceFrom(Rows restored) {
            if (ids != restored.ids) {
                return Optional.of(
                        "the backup has %d ids, the restored registry %d"
                                .formatted(ids, restored.ids));
            }
            if (!hash.equals(restored.hash)) {
                return Optional.of("as many ids, but other ones or with other holders");
            }
            boolean moved =
                    restored.boundaryMicros >= boundaryMicros
                            && restored.boundaryMicros <= fromMicros;
            return moved && maxAcceptedMicros == restored.maxAcceptedMicros
                    ? Optional.empty()
                    : Optional.of(
                            "the backup has a boundary of %d to %d and the highest time %d, the restored registry %d and %d"
                                    .formatted(
                                            boundaryMicros,
                                            fromMicros,
                                            maxAcceptedMicros,
                                            restored.boundaryMicros,
                                            restored.maxAcceptedMicros));
        }
    }
}
