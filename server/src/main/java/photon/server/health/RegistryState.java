package photon.server.health;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.ReplicaStatus;

/**
 * Whether a registry server can do its work, by what it says of itself: it answers, and each of its
 * replicas knows a leader and has caught up. Owned by one loop.
 */
final class RegistryState {
    /** Longer than an election, and than a new group needs. */
    static final Duration TOLERATED = Duration.ofSeconds(10);

    private OptionalLong askedNanos = OptionalLong.empty();
    private final Condition leader = new Condition("no leader is known of");
    private final Condition caughtUp = new Condition("its replica has not caught up in");
    private boolean known;
    private boolean waiting;

    /** True: a question is under way. */
    boolean isWaiting() {
        return waiting;
    }

    /** When it was asked what it has not answered; empty: it has answered. */
    OptionalLong askedNanos() {
        return askedNanos;
    }

    void asked(long nowNanos) {
        waiting = true;
        if (askedNanos.isEmpty()) {
            askedNanos = OptionalLong.of(nowNanos);
        }
    }

    /** It could not say: as good as silent. */
    void failed() {
        waiting = false;
    }

    void answered(DescribeServerResponse server, long nowNanos) {
        waiting = false;
        askedNanos = OptionalLong.empty();
        known = true;
        leader.heard(server, nowNanos, replica -> !replica.getLeader().isEmpty());
        caughtUp.heard(server, nowNanos, ReplicaStatus::getCaughtUp);
    }

    List<Check> checks() {
        return List.of(
                new Check(
                        "answers",
                        "nobody is served here",
                        now ->
                                Conditions.answered(
                                        "a question of this process",
                                        askedNanos,
                                        "its registry server",
                                        now)),
                new Check(
                        "leader",
                        "nothing is committed in these groups as far as this server sees",
                        leader::look),
                new Check(
                        "caught_up",
                        "these groups have one replica less to rely on",
                        caughtUp::look));
    }

    /** Something that holds of each group. */
    private final class Condition {
        private final String wrong;

        /** By group, since when it does not hold. */
        private final Map<String, Long> brokenNanos = new HashMap<>();

        private boolean everWhole;

        Condition(String wrong) {
            this.wrong = wrong;
        }

        void heard(DescribeServerResponse server, long nowNanos, Predicate<ReplicaStatus> holds) {
            Map<String, Long> before = Map.copyOf(brokenNanos);
            brokenNanos.clear();
            for (ReplicaStatus replica : server.getReplicasList()) {
                if (!holds.test(replica)) {
                    String group = GroupName.of(replica, server);
                    brokenNanos.put(group, before.getOrDefault(group, nowNanos));
                }
            }
            everWhole |= brokenNanos.isEmpty();
        }

        Optional<Failure> look(long nowNanos) {
            if (!known) {
                return Optional.of(Failure.seen("not known yet"));
            }
            // A server that starts is not tolerated: whoever restarts one after another waits.
            long tolerated = everWhole ? TOLERATED.toNanos() : 0;
            List<String> groups =
                    brokenNanos.entrySet().stream()
                            .filter(entry -> nowNanos - entry.getValue() >= tolerated)
                            .map(Map.Entry::getKey)
                            .sorted()
                            .toList();
            if (groups.isEmpty()) {
                return Optional.empty();
            }
            long since = nowNanos;
            for (String group : groups) {
                since = Math.min(since, brokenNanos.getOrDefault(group, nowNanos));
            }
            return Optional.of(
                    Failure.since(
                            since,
                            wrong
                                    + " "
                                    + groups.stream().collect(Collectors.joining(", "))
                                    + ", for "
                                    + SecondsText.text(nowNanos - since)));
        }
    }
}
