package photon.idregistry.server.leaders;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.Failures;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.leaders.Followers;
import photon.idregistry.leaders.Placement;
import photon.idregistry.leaders.PreferredLeaderBalancer;
import photon.idregistry.members.PeerName;
import photon.idregistry.raft.GroupIds;
import photon.idregistry.raft.RaftNode;
import photon.idregistry.raft.Replica;
import photon.idregistry.raft.ReplicaStats;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.idregistry.server.counts.ServerCounts;
import photon.idregistry.server.groups.ServedGroups;
import photon.idregistry.shard.ShardEntries;
import photon.proto.v1.HoldLeaderBalancingRequest;
import photon.proto.v1.HoldLeaderBalancingResponse;
import photon.proto.v1.Roster;
import photon.proto.v1.ShardRef;
import photon.proto.v1.TransferLeadershipRequest;
import photon.proto.v1.TransferLeadershipResponse;
import photon.proto.v1.TransferLeadershipResponse.Result;
import photon.registry.api.RegistryProtos;

/**
 * Moves leadership of groups from this server and to it: all of it when this server ends, one group
 * when an operator asks, and back to the preferred leader when things are calm (docs/protocol.md
 * section 9). Owned by the server's loop.
 */
public final class LeadershipTransfers {
    private static final Logger LOG = LoggerFactory.getLogger(LeadershipTransfers.class);

    private static final Duration HOLD_MAX = Duration.ofDays(1);

    private final EventLoop loop;
    private final RaftNode node;
    private final Supplier<Roster> roster;
    private final Supplier<Set<ShardRef>> shards;
    private final ServerCounts counts;
    private final Map<String, String> services;
    private Placement placement;
    private long placedVersion;
    private final PreferredLeaderBalancer<Optional<ShardRef>> leaderBalancing;
    private final RegistryServerConfig config;
    private final String self;
    private final String actor;
    private final long millisMax;
    private final Function<HostPort, Caller<TransferLeadershipRequest, TransferLeadershipResponse>>
            peers;
    private boolean ending;
    private boolean givingAway;

    /**
     * What came of handing everything over.
     *
     * @param given groups that another server leads now
     * @param kept groups that none could be given
     */
    public record HandedOver(int given, int kept) {}

    /**
     * @param roster the registry's members
     * @param shards those that this server has replicas of
     * @param services server name to service address
     * @param peers reaches a server
     */
    public LeadershipTransfers(
            EventLoop loop,
            RaftNode node,
            Supplier<Roster> roster,
            Supplier<Set<ShardRef>> shards,
            ServerCounts counts,
            RegistryServerConfig config,
            Map<String, String> services,
            Function<HostPort, Caller<TransferLeadershipRequest, TransferLeadershipResponse>>
                    peers) {
        this.loop = loop;
        this.node = node;
        this.roster = roster;
        this.shards = shards;
        this.counts = counts;
        this.services = services;
        this.placement = config.placement(List.of());
        this.config = config;
        this.leaderBalancing =
                new PreferredLeaderBalancer<>(config.name(), placement, config.leaderBalancing());
        this.self = config.name();
        this.actor = "registry " + config.self().service();
        this.millisMax = config.tuning().electionMax().toMillis();
        this.peers = peers;
    }

    /**
     * Takes what this server is the preferred leader of, when it is time. To be called now and
     * then.
     */
    public void look() {
        loop.checkInLoop();
        if (ending) {
            return;
        }
        place();
        List<PreferredLeaderBalancer.Seen<Optional<ShardRef>>> seen = new ArrayList<>();
        for (Optional<ShardRef> group : groups()) {
            Replica replica = replica(group);
            if (replica != null) {
                seen.add(
                        new PreferredLeaderBalancer.Seen<>(
                                group,
                                place(group),
                                leader(replica),
                                replica.term(),
                                replica.caughtUp(),
                                replica.wasMade()));
            }
        }
        leaderBalancing.look(loop.nanoTime(), seen).ifPresent(this::fetch);
    }

    private void place() {
        Roster now = roster.get();
        if (now.getVersion() != placedVersion) {
            placedVersion = now.getVersion();
            placement = config.placement(now.getServersList());
            leaderBalancing.place(placement);
        }
    }

    private List<Optional<ShardRef>> groups() {
        List<Optional<ShardRef>> all = new ArrayList<>();
        all.add(Optional.empty());
        shards.get().forEach(shard -> all.add(Optional.of(shard)));
        return all;
    }

    private @Nullable Replica replica(Optional<ShardRef> group) {
        return node.replica(
                group.map(
                                ref ->
                                        GroupIds.shard(
                                                Objects.requireNonNull(
                                                        RegistryProtos.uuid(ref.getPipeline())),
                                                ref.getEpoch(),
                                                ref.getShard()))
                        .orElse(GroupIds.control()));
    }

    /** The server's name. */
    private static @Nullable String leader(Replica replica) {
        String peer = replica.leader();
        return peer == null ? null : PeerName.serverOf(peer);
    }

    private static int place(Optional<ShardRef> group) {
        return group.map(ShardRef::getShard).orElse(Placement.CONTROL);
    }

    static String name(Optional<ShardRef> group) {
        return group.map(ServedGroups::name).orElse("control");
    }

    private void fetch(Optional<ShardRef> group) {
        Replica replica = replica(group);
        String leader = replica == null ? null : leader(replica);
        String address = leader == null ? null : services.get(leader);
        if (address == null) {
            leaderBalancing.ended(loop.nanoTime());
            return;
        }
        TransferLeadershipRequest.Builder request =
                TransferLeadershipRequest.newBuilder().setTo(self).setActor(actor);
        group.ifPresent(request::setShard);
        peers.apply(HostPort.parse(address))
                .call(
                        request.build(),
                        new Caller.Reply<>() {
                            @Override
                            public void answered(TransferLeadershipResponse answer) {
                                if (answer.getResult() == Result.DONE) {
                                    counts.leadershipFetched();
                                }
                                fetched(group, leader, answer.getResult() + " " + answer.getWhy());
                            }

                            @Override
                            public void broken(String why) {
                                fetched(group, leader, why);
                            }
                        });
    }

    private void fetched(Optional<ShardRef> group, @Nullable String from, String outcome) {
        LOG.info("Fetched the leadership of {} from {}: {}", name(group), from, outcome.strip());
        leaderBalancing.ended(loop.nanoTime());
    }

    /** Serves {@code TransferLeadership}. */
    public void transfer(
            TransferLeadershipRequest request, Consumer<TransferLeadershipResponse> respond) {
        Optional<ShardRef> group =
                request.hasShard() ? Optional.of(request.getShard()) : Optional.empty();
        Replica replica = groups().contains(group) ? replica(group) : null;
        if (replica == null || !replica.log().leads()) {
            String leader = replica == null ? null : leader(replica);
            respond.accept(
                    answer(Result.NOT_LEADER, "")
                            .setLeader(
                                    leader == null || leader.equals(self)
                                            ? ""
                                            : services.getOrDefault(leader, ""))
                            .build());
            return;
        }
        if (request.getTo().equals(self)) {
            respond.accept(answer(Result.DONE, "").build());
            return;
        }
        Roster members = roster.get();
        if (members.getVersion() > 0 && !members.getServersList().contains(request.getTo())) {
            respond.accept(
                    answer(Result.REFUSED, request.getTo() + " is not on the registry's roster")
                            .build());
            return;
        }
        Optional<String> trouble =
                replica.members().stable()
                        ? followers(replica).trouble(request.getTo())
                        : Optional.of("its members are being changed");
        if (trouble.isPresent()) {
            respond.accept(answer(Result.REFUSED, trouble.get()).build());
            return;
        }
        give(group, replica, request.getTo())
                .thenAccept(
                        failed -> {
                            LOG.info(
                                    "{} asked for {} to lead {}: {}",
                                    request.getActor(),
                                    request.getTo(),
                                    name(group),
                                    failed.orElse("done"));
                            respond.accept(
                                    failed.map(why -> answer(Result.FAILED, why))
                                            .orElseGet(() -> answer(Result.DONE, ""))
                                            .build());
                        });
    }

    /** Serves {@code HoldLeaderBalancing}. */
    public void hold(
            HoldLeaderBalancingRequest request, Consumer<HoldLeaderBalancingResponse> respond) {
        long millis = request.getMillis();
        Duration length =
                millis < 0 || millis > HOLD_MAX.toMillis() ? HOLD_MAX : Duration.ofMillis(millis);
        long now = loop.nanoTime();
        if (request.getAll()) {
            leaderBalancing.hold(now, length);
        }
        if (request.getControl()) {
            leaderBalancing.hold(now, length, Optional.empty());
        }
        // Of groups that are not here nothing is kept.
        request.getShardsList().stream()
                .filter(shards.get()::contains)
                .forEach(shard -> leaderBalancing.hold(now, length, Optional.of(shard)));
        LOG.info("{} asked for no leader balancing for {}", request.getActor(), length);
        respond.accept(HoldLeaderBalancingResponse.getDefaultInstance());
    }

    private static TransferLeadershipResponse.Builder answer(Result result, String why) {
        return TransferLeadershipResponse.newBuilder().setResult(result).setWhy(why);
    }

    /** By servers' names: of one whose disk is being replaced, the disk that comes. */
    private Followers followers(Replica replica) {
        return new Followers(
                peers(replica).values().stream()
                        .filter(member -> !PeerName.serverOf(member.name()).equals(self))
                        .map(
                                member ->
                                        new Followers.Follower(
                                                PeerName.serverOf(member.name()),
                                                member.lag(),
                                                member.silentMillis()))
                        .toList(),
                millisMax);
    }

    private static Map<String, ReplicaStats.Member> peers(Replica replica) {
        Map<String, ReplicaStats.Member> last = new LinkedHashMap<>();
        for (ReplicaStats.Member member : replica.members().members()) {
            last.merge(PeerName.serverOf(member.name()), member, LeadershipTransfers::later);
        }
        return last;
    }

    private static ReplicaStats.Member later(ReplicaStats.Member a, ReplicaStats.Member b) {
        return PeerName.parse(a.name()).number() > PeerName.parse(b.name()).number() ? a : b;
    }

    /** Completed in the loop: empty if the other leads, else why not. */
    private CompletableFuture<Optional<String>> give(
            Optional<ShardRef> group, Replica replica, String to) {
        ReplicaStats.Member peer = peers(replica).get(to);
        CompletableFuture<Optional<String>> ended = new CompletableFuture<>();
        if (peer == null) {
            ended.complete(Optional.of(to + " is no member of it any more"));
            return ended;
        }
        levelled(group, replica, peer)
                .thenCompose(either -> replica.transferTo(peer.name(), millisMax))
                .whenComplete(
                        (done, failure) ->
                                loop.execute(
                                        () -> {
                                            counts.leadershipAsked(failure == null);
                                            ended.complete(Optional.ofNullable(why(failure)));
                                        }));
        return ended;
    }

    /**
     * An answer that was lost with its connection is never asked for again: until the next entry
     * the leader takes the follower for one that lags, though nothing is missing there (Ratis
     * 3.3.0, GrpcLogAppender). So there is a next one.
     */
    private CompletableFuture<?> levelled(
            Optional<ShardRef> group, Replica replica, ReplicaStats.Member follower) {
        if (follower.lag() <= 0) {
            return CompletableFuture.completedFuture(null);
        }
        return replica.log()
                .submit(group.isPresent() ? ShardEntries.nothing() : ControlEntries.nothing())
                .handle((result, failure) -> null)
                .completeOnTimeout(null, millisMax / 2, TimeUnit.MILLISECONDS);
    }

    private static @Nullable String why(@Nullable Throwable failure) {
        Throwable cause = failure == null ? null : Failures.cause(failure);
        return cause == null ? null : String.valueOf(cause.getMessage());
    }

    /**
     * Gives away what this server leads, unless that is under way. To be called again and again.
     */
    public void leave() {
        place();
        boolean leads = groups().stream().map(this::replica).anyMatch(LeadershipTransfers::leads);
        if (leads && !givingAway) {
            givingAway = true;
            handOver()
                    .thenAccept(
                            done -> {
                                givingAway = false;
                                LOG.info(
                                        "{} leaves, and gave away the leadership of {} groups; of {} nobody took it",
                                        self,
                                        done.given(),
                                        done.kept());
                            });
        }
    }

    private static boolean leads(@Nullable Replica replica) {
        return replica != null && replica.log().leads();
    }

    /**
     * Gives away all that this server leads, all groups at the same time, each to the best that can
     * take it. From now on nothing is fetched.
     *
     * @return completed in the loop; each group is tried at most twice
     */
    public CompletableFuture<HandedOver> handOver() {
        loop.checkInLoop();
        ending = true;
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (Optional<ShardRef> group : groups()) {
            Replica replica = replica(group);
            if (replica != null && replica.log().leads()) {
                List<String> to = followers(replica).successors(placement.preference(place(group)));
                CompletableFuture<Boolean> given = new CompletableFuture<>();
                all.add(given);
                handOver(group, replica, to.stream().limit(2).iterator(), given);
            }
        }
        return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]))
                .thenApply(
                        done -> {
                            int given = (int) all.stream().filter(CompletableFuture::join).count();
                            return new HandedOver(given, all.size() - given);
                        });
    }

    private void handOver(
            Optional<ShardRef> group,
            Replica replica,
            Iterator<String> to,
            CompletableFuture<Boolean> given) {
        if (!to.hasNext() || !replica.log().leads()) {
            given.complete(!replica.log().leads());
            return;
        }
        String next = to.next();
        give(group, replica, next)
                .thenAccept(
                        failed -> {
                            if (failed.isEmpty()) {
                                given.complete(true);
                            } else {
                                LOG.info(
                                        "{} did not take over {}: {}",
                                        next,
                                        name(group),
                                        failed.get());
                                handOver(group, replica, to, given);
                            }
                        });
    }
}
