package photon.server.metrics;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import photon.proto.v1.BoundaryStatus;
import photon.proto.v1.ClockSource;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.Distribution;
import photon.proto.v1.FollowerStatus;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.Outcome;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.Progress;
import photon.proto.v1.RaftCounts;
import photon.proto.v1.ReplicaRole;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ServerClock;
import photon.proto.v1.ServerCounts;
import photon.proto.v1.ShardStatus;
import photon.proto.v1.SnapshotStatus;
import photon.proto.v1.TableStatus;
import photon.server.health.GroupName;

/** What a registry server tells, by its description of itself. Thread-safe. */
public final class RegistryMetrics implements MetricSource {
    /** A server that does not answer itself for so long answers nobody. */
    private static final long PATIENCE_MILLIS = 2_000;

    private static final String PREFIX = "photon_registry_";
    private static final double MILLIS_PER_SECOND = 1_000;
    private static final String[] FOUND = {"absent", "held", "too_old", "wrong_shard"};

    private final Supplier<CompletableFuture<DescribeServerResponse>> describe;

    /**
     * @param describe asks the server what it is now
     */
    public RegistryMetrics(Supplier<CompletableFuture<DescribeServerResponse>> describe) {
        this.describe = describe;
    }

    private Optional<DescribeServerResponse> ask() {
        try {
            return Optional.of(describe.get().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public void addTo(Samples samples) {
        Optional<DescribeServerResponse> answer = ask();
        samples.gauge(
                PREFIX + "answers",
                "1 if the server answered this scrape; 0 if its loop is stuck, and nothing below is told.",
                answer.isPresent() ? 1 : 0);
        answer.ifPresent(server -> add(server, samples));
    }

    private static void add(DescribeServerResponse server, Samples samples) {
        samples.gauge(
                PREFIX + "pipelines",
                "Pipelines that this server knows.",
                server.getPipelinesCount());
        for (PipelineStatus pipeline : server.getPipelinesList()) {
            samples.gauge(
                    PREFIX + "retention_seconds",
                    "How long the pipeline keeps ids; 0: without limit.",
                    Samples.seconds(pipeline.getSettings().getRetentionMicros()),
                    "pipeline",
                    pipeline.getName());
        }
        samples.gauge(
                PREFIX + "disks_joining",
                "Servers whose disk is new, in the place of a lost one or added, and may not be in every group yet.",
                server.getDisksList().stream().filter(MemberDisk::getJoining).count());
        samples.gauge(
                PREFIX + "members",
                "Servers that are members of the registry; 0: not known yet.",
                server.getRoster().getServersCount());
        samples.gauge(
                PREFIX + "members_leaving",
                "Servers that were removed and may still be in some group.",
                server.getDisksList().stream().filter(MemberDisk::getLeaving).count());
        counts(server.getCounts(), samples);
        clock(server.getClock(), samples);
        boundary(server.getBoundary(), samples);
        for (ReplicaStatus replica : server.getReplicasList()) {
            String[] group = {"group", GroupName.of(replica, server)};
            replication(replica, samples, group);
            raft(replica.getRaft(), samples, group);
            if (replica.hasSnapshot()) {
                snapshot(replica.getSnapshot(), samples, group);
            }
            if (replica.hasShard()) {
                shard(replica.getState(), samples, group);
            }
        }
    }

    private static void clock(ServerClock clock, Samples samples) {
        String[] source = {
            "source", clock.getSource() == ClockSource.CLOCK_CHRONY ? "chrony" : "configured"
        };
        samples.gauge(
                        PREFIX + "clock_synchronised",
                        "1 if this server's clock is known to be synchronised: else it has no vote on the boundary.",
                        clock.getSynchronised() ? 1 : 0,
                        source)
                .gauge(
                        PREFIX + "clock_bound_seconds",
                        "How far this server's clock may be from true time, as chronyd measures or as configured.",
                        Samples.seconds(clock.getBoundMicros()),
                        source);
    }

    private static void boundary(BoundaryStatus boundary, Samples samples) {
        samples.gauge(
                        PREFIX + "clock_votes",
                        "Servers whose clock this one knows to be synchronised; 0 while no pipeline has a retention.",
                        boundary.getVotes())
                .gauge(
                        PREFIX + "clock_votes_needed",
                        "So many are needed for boundaries to move.",
                        boundary.getNeeded())
                .gauge(
                        PREFIX + "boundary_stands_still",
                        "1 if too few clocks are known to be synchronised for boundaries to move.",
                        boundary.getTrouble().isEmpty() ? 0 : 1)
                .gauge(
                        PREFIX + "boundaries_held_back",
                        "Pipelines whose boundary an incarnation that is not repaired has held back for more than an hour.",
                        boundary.getHeldBackCount());
    }

    private static void leaderships(ServerCounts counts, Samples samples) {
        String help =
                "Leaderships that this server gave away, could not, or took as the preferred leader.";
        samples.counter(
                        PREFIX + "leaderships_moved",
                        help,
                        counts.getLeadershipsGiven(),
                        "result",
                        "given")
                .counter(
                        PREFIX + "leaderships_moved",
                        help,
                        counts.getLeadershipsNotGiven(),
                        "result",
                        "not_given")
                .counter(
                        PREFIX + "leaderships_moved",
                        help,
                        counts.getLeadershipsFetched(),
                        "result",
                        "fetched");
    }

    private static void counts(ServerCounts counts, Samples samples) {
        requests(counts, samples);
        samples.gauge(
                        PREFIX + "streams_open",
                        "Streams that clients have open here.",
                        counts.getCommitStreams(),
                        "method",
                        "commit")
                .gauge(PREFIX + "streams_open", "", counts.getLookupStreams(), "method", "lookup");
        leaderships(counts, samples);
        histograms(counts, samples);
    }

    private static void requests(ServerCounts counts, Samples samples) {
        for (Outcome outcome : Outcome.values()) {
            if (outcome != Outcome.UNRECOGNIZED && outcome.getNumber() > 0) {
                samples.counter(
                        PREFIX + "commits",
                        "Ids whose commit this server has answered, by outcome.",
                        counts.getCommitOutcomesOrDefault(outcome.getNumber(), 0),
                        "outcome",
                        label(outcome));
            }
        }
        for (Progress progress : Progress.values()) {
            if (progress != Progress.UNRECOGNIZED) {
                samples.counter(
                                PREFIX + "commit_requests",
                                "Commit requests answered, by how far they came.",
                                counts.getCommitRequestsOrDefault(progress.getNumber(), 0),
                                "result",
                                label(progress))
                        .counter(
                                PREFIX + "lookup_requests",
                                "Lookup requests answered, by how far they came.",
                                counts.getLookupRequestsOrDefault(progress.getNumber(), 0),
                                "result",
                                label(progress));
            }
        }
        for (int found = 0; found < FOUND.length; found++) {
            samples.counter(
                    PREFIX + "lookups",
                    "Ids looked up on this server, by answer.",
                    counts.getLookupAnswersOrDefault(found, 0),
                    "answer",
                    FOUND[found]);
        }
    }

    private static void histograms(ServerCounts counts, Samples samples) {
        histogram(
                samples,
                "entry_ids",
                "Ids in a commit entry that this server handed to a log.",
                counts.getEntryIds(),
                1);
        histogram(
                samples,
                "commit_seconds",
                "From handing a commit entry to the log until it was applied here, or failed.",
                counts.getCommitMicros(),
                Samples.MICROS_PER_SECOND);
        histogram(
                samples,
                "apply_seconds",
                "Time in which an entry was applied to this server's replica, as a leader or not.",
                counts.getApplyMicros(),
                Samples.MICROS_PER_SECOND);
        histogram(
                samples,
                "snapshot_pause_seconds",
                "How long entries waited while a snapshot was taken.",
                counts.getSnapshotPauseMicros(),
                Samples.MICROS_PER_SECOND);
        histogram(
                samples,
                "snapshot_write_seconds",
                "How long a snapshot's files were written, beside the entries.",
                counts.getSnapshotWriteMicros(),
                Samples.MICROS_PER_SECOND);
    }

    private static String label(Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }

    private static String label(Progress progress) {
        return progress == Progress.PROGRESS_UNSPECIFIED
                ? "malformed"
                : progress.name().toLowerCase(Locale.ROOT);
    }

    private static void histogram(
            Samples samples, String name, String help, Distribution of, double perUnit) {
        samples.histogram(
                PREFIX + name,
                help,
                of.getBoundsList().stream().mapToDouble(bound -> bound / perUnit).toArray(),
                of.getCountsList().stream().mapToLong(count -> count).toArray(),
                of.getSum() / perUnit);
    }

    private static void replication(ReplicaStatus replica, Samples samples, String[] group) {
        boolean leads = replica.getRole() == ReplicaRole.ROLE_LEADER && replica.getReady();
        samples.gauge(
                        PREFIX + "leader",
                        "1 if this server leads the group and takes entries. The sum over all servers is 1 for each group.",
                        leads ? 1 : 0,
                        group)
                .gauge(
                        PREFIX + "leader_known",
                        "1 if this server knows a leader of the group.",
                        replica.getLeader().isEmpty() ? 0 : 1,
                        group)
                .gauge(
                        PREFIX + "caught_up",
                        "1 if the replica has applied what was committed when it started, and is a member.",
                        replica.getCaughtUp() ? 1 : 0,
                        group)
                .gauge(PREFIX + "term", "The group's Raft term.", replica.getTerm(), group)
                .gauge(
                        PREFIX + "committed_index",
                        "The highest log index known here to be committed.",
                        replica.getCommittedIndex(),
                        group)
                .gauge(
                        PREFIX + "applied_index",
                        "The highest log index applied here.",
                        replica.getAppliedIndex(),
                        group)
                .gauge(
                        PREFIX + "log_bytes",
                        "Bytes of the group's log files on this server's disk.",
                        replica.getLogBytes(),
                        group);
        for (FollowerStatus follower : replica.getFollowersList()) {
            if (follower.getLag() >= 0) {
                samples.gauge(
                        PREFIX + "follower_lag_entries",
                        "Entries that a follower has not got, as the leader knows. Told by leaders only.",
                        follower.getLag(),
                        group[0],
                        group[1],
                        "follower",
                        follower.getName());
            }
        }
    }

    private static void raft(RaftCounts raft, Samples samples, String[] group) {
        samples.counter(
                        PREFIX + "elections",
                        "Elections in which this replica stood.",
                        raft.getElections(),
                        group)
                .counter(
                        PREFIX + "log_syncs",
                        "Times that the log was made durable (fsync).",
                        raft.getSyncs(),
                        group)
                .gauge(
                        PREFIX + "log_sync_p50_seconds",
                        "Median time of the recent syncs.",
                        Samples.seconds(raft.getSyncP50Micros()),
                        group)
                .gauge(
                        PREFIX + "log_sync_p99_seconds",
                        "99th percentile of the time of the recent syncs.",
                        Samples.seconds(raft.getSyncP99Micros()),
                        group)
                .counter(
                        PREFIX + "snapshot_failures",
                        "Snapshots that could not be made durable; the log is kept instead.",
                        raft.getSnapshotFailures(),
                        group);
    }

    private static void snapshot(SnapshotStatus snapshot, Samples samples, String[] group) {
        samples.gauge(
                        PREFIX + "snapshot_index",
                        "The last log index in the newest durable snapshot.",
                        snapshot.getIndex(),
                        group)
                .gauge(
                        PREFIX + "snapshot_timestamp_seconds",
                        "When the newest durable snapshot was complete, since 1970. Its age is time() minus this.",
                        snapshot.getMadeMillis() / MILLIS_PER_SECOND,
                        group)
                .gauge(
                        PREFIX + "snapshot_bytes",
                        "Size of the newest durable snapshot.",
                        snapshot.getBytes(),
                        group);
    }

    private static void table(TableStatus table, Samples samples, String[] group) {
        samples.gauge(
                        PREFIX + "ids_memory_bytes",
                        "Heap that ids in memory take, about.",
                        table.getMemoryBytes(),
                        group)
                .gauge(
                        PREFIX + "sealed_files",
                        "Files that hold the older ids.",
                        table.getSealedFiles(),
                        group)
                .gauge(
                        PREFIX + "sealed_ids",
                        "Ids in these files, removed ones included.",
                        table.getSealedRows(),
                        group)
                .gauge(
                        PREFIX + "sealed_index_bytes",
                        "Heap that says what is where in these files.",
                        table.getSealedIndexBytes(),
                        group)
                .counter(
                        PREFIX + "sealing_failures",
                        "Files that could not be written; their ids are still in memory.",
                        table.getSealingFailures(),
                        group);
    }

    private static void shard(ShardStatus state, Samples samples, String[] group) {
        table(state.getTable(), samples, group);
        LongUnaryOperator known = micros -> micros == Long.MIN_VALUE ? 0 : micros;
        samples.gauge(PREFIX + "ids", "Ids held.", state.getIds(), group)
                .gauge(
                        PREFIX + "cancelled_tokens",
                        "Commit tokens that are remembered as cancelled.",
                        state.getCancelledTokens(),
                        group)
                .gauge(
                        PREFIX + "boundary_timestamp_seconds",
                        "Ids with an older timestamp are refused, since 1970; 0: none yet.",
                        Samples.seconds(known.applyAsLong(state.getBoundaryMicros())),
                        group)
                .gauge(
                        PREFIX + "newest_id_timestamp_seconds",
                        "The highest timestamp of an id ever accepted, since 1970; 0: none yet.",
                        Samples.seconds(known.applyAsLong(state.getMaxAcceptedMicros())),
                        group)
                .gauge(
                        PREFIX + "map_version",
                        "Version of the shard map that is installed; 0: none yet.",
                        state.getMapVersion(),
                        group)
                .gauge(
                        PREFIX + "waiting_ids",
                        "Ids that wait here for a commit entry.",
                        state.getWaitingIds(),
                        group)
                .gauge(
                        PREFIX + "entries_in_flight",
                        "Commit entries handed to the log and not answered.",
                        state.getEntriesInFlight(),
                        group)
                .gauge(
                        PREFIX + "requests_in_flight",
                        "Other requests under way: removes, fences, boundaries, linearizable lookups.",
                        state.getRequestsInFlight(),
                        group)
                .counter(
                        PREFIX + "commit_entries",
                        "Commit entries that this server has handed to the log.",
                        state.getCommitEntries(),
                        group)
                .counter(
                        PREFIX + "committed_ids",
                        "Ids in these entries, whatever became of them.",
                        state.getCommittedIds(),
                        group);
    }
}
