package photon.simulation.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import photon.registry.api.ReshardClient.End;
import photon.simulation.kernel.Life;
import photon.simulation.parts.ReshardSteps.Moment;

/**
 * Somebody is killed, paused or voted out at every step of a reshard, one case each: the control
 * group ends it by itself, and no id is accepted twice or forgotten.
 */
class ReshardStepsTest {
    /** Longer than an election, and than an attempt may be open. */
    private static final Duration PAUSE = Duration.ofSeconds(40);

    /** Who is met. */
    enum Victim {
        OPERATOR,
        CLIENT,
        CONTROL_LEADER,
        FIRST_SHARDS_LEADER,
        SECOND_SHARDS_LEADER,
        /** A server that does not lead the control group. */
        FOLLOWER
    }

    /** By what. */
    enum Harm {
        KILLED,
        PAUSED,
        /** The old leader does not know for a while: two are at it. */
        VOTED_OUT
    }

    static Stream<Arguments> cases() {
        List<Arguments> all = new ArrayList<>();
        for (Moment moment : Moment.values()) {
            for (Victim victim : Victim.values()) {
                for (Harm harm : Harm.values()) {
                    boolean leads = victim.compareTo(Victim.CONTROL_LEADER) >= 0;
                    boolean concerned =
                            moment.compareTo(Moment.DECIDED) < 0 || victim != Victim.OPERATOR;
                    if (concerned
                            && (harm != Harm.VOTED_OUT || (leads && victim != Victim.FOLLOWER))) {
                        all.add(Arguments.of(moment, victim, harm));
                    }
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void itComesToAnEnd(Moment moment, Victim victim, Harm harm) {
        ReshardSteps world = new ReshardSteps(1, moment, steps -> harm(steps, victim, harm));
        world.run();
        assertThat(world.happened()).isTrue();
        if (victim == Victim.OPERATOR
                || victim == Victim.CLIENT
                || moment.compareTo(Moment.DECIDED) >= 0) {
            assertThat(world.isCommitted()).isTrue();
        }
    }

    private static void harm(ReshardSteps steps, Victim victim, Harm harm) {
        String group =
                switch (victim) {
                    case FIRST_SHARDS_LEADER -> ReshardSteps.oldShard(0);
                    case SECOND_SHARDS_LEADER -> ReshardSteps.oldShard(1);
                    default -> "control";
                };
        if (harm == Harm.VOTED_OUT) {
            steps.cluster.deposeLeader(group);
            return;
        }
        Life life =
                switch (victim) {
                    case OPERATOR -> steps.operator;
                    case CLIENT -> steps.client;
                    case FOLLOWER ->
                            steps.hosts.values().stream()
                                    .filter(h -> !h.process().equals(steps.cluster.leader(group)))
                                    .findFirst()
                                    .orElseThrow()
                                    .life();
                    default -> {
                        RegistryHost leader = steps.hosts.get(steps.cluster.leader(group));
                        yield leader == null ? null : leader.life();
                    }
                };
        if (life != null && harm == Harm.KILLED) {
            life.end("killed by the test");
        } else if (life != null) {
            life.pause(PAUSE);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Moment.class)
    void whoCancelsIsToldWhatTheControlGroupHasDecided(Moment moment) {
        ReshardSteps world = new ReshardSteps(2, moment, ReshardSteps::cancel);
        world.run();
        if (moment.compareTo(Moment.DECIDED) >= 0) {
            assertThat(Objects.requireNonNull(world.cancelled).end()).isEqualTo(End.COMMITTED);
        }
        if (moment == Moment.BEGUN) {
            assertThat(Objects.requireNonNull(world.cancelled).end()).isEqualTo(End.ABORTED);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Moment.class,
            names = {"BEGUN", "ALL_PREPARED", "DECIDED"})
    void clocksThatAreAnHourOffDelayAtMost(Moment moment) {
        for (long hours : new long[] {-1, 1}) {
            ReshardSteps world =
                    new ReshardSteps(
                            3,
                            moment,
                            steps -> {
                                RegistryHost first = steps.hosts.values().iterator().next();
                                first.clock().jump(hours * 3_600_000_000L);
                                steps.timeline.after(PAUSE, first.clock()::mend);
                            });
            world.run();
            assertThat(world.isCommitted()).isTrue();
        }
    }

    @Test
    void theSameSeedIsTheSameEachTime() {
        ReshardSteps first = new ReshardSteps(4, Moment.DECIDED, steps -> {});
        first.run();
        ReshardSteps again = new ReshardSteps(4, Moment.DECIDED, steps -> {});
        again.run();
        assertThat(again.timeline.trace().hash()).isEqualTo(first.timeline.trace().hash());
    }
}
