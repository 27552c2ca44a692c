package photon.joiner.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.joiner.Events;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.RegistryClient.Shard;
import photon.storage.output.WorkRecord.JoinedEvent;

class SmallRulesTest {
    private int freed;

    private static final Shard A = new Shard(1, 0);
    private static final Shard B = new Shard(1, 1);
    private static final SlotTakeover SLOT = new SlotTakeover("east/joiner-0", "a:1", 1, 10);

    @Test
    void admissionBoundsEventsAndBytes() {
        AdmissionControl admission = new AdmissionControl(2, 100);
        assertThat(admission.admit(60)).isTrue();
        assertThat(admission.admit(60)).isFalse();
        assertThat(admission.admit(40)).isTrue();
        assertThat(admission.admit(0)).as("the third event").isFalse();
        admission.release(60);
        admission.release(40);
        assertThat(admission.admit(1_000)).as("larger than all, and alone").isTrue();
        admission.release(1_000);
        assertThatThrownBy(() -> admission.release(1)).isInstanceOf(BugException.class);
    }

    @Test
    void theCapIsPerShardAndAFullShardStopsNoOther() {
        CommitRoom room = new CommitRoom(1);
        CommitCap cap = new CommitCap(room, () -> freed++);
        cap.add(A, attempt(1));
        cap.add(A, attempt(2));
        cap.add(B, attempt(3));
        assertThat(taken(cap)).isEqualTo(1);
        assertThat(taken(cap)).isEqualTo(3);
        assertThat(cap.take()).isNull();
        cap.release(A);
        assertThat(freed).as("something waits").isEqualTo(1);
        assertThat(taken(cap)).isEqualTo(2);
        assertThat(room.outstanding()).isEqualTo(2);
        cap.release(A);
        assertThatThrownBy(() -> cap.release(A)).isInstanceOf(BugException.class);
    }

    /** One of them drains, the other one serves: a crash loses what both have outstanding. */
    @Test
    void twoIncarnationsShareTheCapAndTheOlderOneGoesFirst() {
        CommitRoom room = new CommitRoom(2);
        List<String> asked = new ArrayList<>();
        CommitCap old = new CommitCap(room, () -> asked.add("old"));
        CommitCap next = new CommitCap(room, () -> asked.add("next"));
        old.add(A, attempt(1));
        next.add(A, attempt(2));
        old.add(A, attempt(3));
        next.add(A, attempt(4));
        assertThat(taken(old)).isEqualTo(1);
        assertThat(taken(next)).isEqualTo(2);
        assertThat(taken(old)).isEqualTo(-1);
        next.release(A);
        assertThat(asked).containsExactly("old", "next");
        assertThat(taken(old)).isEqualTo(3);
        assertThat(taken(next)).isEqualTo(-1);
        old.end();
        assertThat(room.outstanding()).as("what it had is the repair's").isZero();
        assertThat(taken(next)).isEqualTo(4);
    }

    @Test
    void aRollIsDueAfterATimeOrANumberOfFilesOrWithALargeBook() {
        RollRule rule = new RollRule(Duration.ofHours(1), 10, 1_000);
        assertThat(rule.isDue(Duration.ofMinutes(59), 9, 999)).isFalse();
        assertThat(rule.isDue(Duration.ofHours(1), 0, 0)).isTrue();
        assertThat(rule.isDue(Duration.ZERO, 10, 0)).isTrue();
        assertThat(rule.isDue(Duration.ZERO, 0, 1_000)).isTrue();
        assertThatThrownBy(() -> new RollRule(Duration.ZERO, 10, 1))
                .isInstanceOf(BugException.class);
        assertThatThrownBy(() -> new RollRule(Duration.ofHours(1), 0, 1))
                .isInstanceOf(BugException.class);
        assertThatThrownBy(() -> new RollRule(Duration.ofHours(1), 10, 0))
                .isInstanceOf(BugException.class);
    }

    @Test
    void whatWasAnsweredWhileItWaitedIsLeftOut() {
        CommitCap cap = new CommitCap(new CommitRoom(5), () -> freed++);
        Attempt abandoned = attempt(1);
        cap.add(A, abandoned);
        cap.add(A, attempt(2));
        abandoned.answered();
        assertThat(taken(cap)).isEqualTo(2);
        cap.release(A);
        assertThat(freed).as("nothing waits").isZero();
    }

    @Test
    void firstTriesKeepAboveTheBoundaryAndRepairsNeedNot() {
        ExpiryMargin margin = new ExpiryMargin(Duration.ofSeconds(1));
        EventId id = Events.id(0);
        assertThat(margin.permits(id, true, Long.MIN_VALUE)).isTrue();
        assertThat(margin.permits(id, true, id.micros() - 1_000_000)).isTrue();
        assertThat(margin.permits(id, true, id.micros() - 999_999)).isFalse();
        assertThat(margin.permits(id, false, id.micros() + 5)).isTrue();
    }

    @Test
    void onlyANewerIncarnationOfAnotherProcessDisplaces() {
        Incarnation last = new Incarnation(1, 2);
        assertThat(SLOT.judge(List.of(info(2, "a:1", 10), info(1, "b:2", 5)), last)).isEmpty();
        assertThat(SLOT.judge(List.of(info(2, "a:1", 10), info(3, "a:1", 10)), last)).isEmpty();
        Optional<String> other = SLOT.judge(List.of(info(3, "b:2", 11)), last);
        assertThat(other.orElseThrow()).contains("a:1").contains("b:2").contains("1-3");
        assertThat(SLOT.judge(List.of(info(3, "a:1", 11)), last))
                .as("containers share address and number")
                .isPresent();
        assertThat(SLOT.judge(List.of(otherSlot()), last)).as("joiner-01").isEmpty();
    }

    @Test
    void anAttemptNeverGoesBack() {
        Attempt attempt = attempt(1);
        assertThatThrownBy(() -> attempt.commitSent(new CommitToken(1, 1, 1), A))
                .isInstanceOf(BugException.class);
        attempt.primaryFound(ByteString.EMPTY);
        attempt.emitted(List.of(new JoinedEvent("", Events.primaryKey(1))), 0);
        attempt.commitSent(new CommitToken(1, 1, 1), A);
        assertThatThrownBy(() -> attempt.commitSent(new CommitToken(1, 1, 2), A))
                .as("a second token")
                .isInstanceOf(BugException.class);
        attempt.answered();
        assertThatThrownBy(attempt::answered).isInstanceOf(BugException.class);
        assertThatThrownBy(attempt::accepted).isInstanceOf(BugException.class);
    }

    private static long taken(CommitCap cap) {
        CommitCap.Taken taken = cap.take();
        return taken == null ? -1 : taken.attempt().number();
    }

    private static Attempt attempt(long n) {
        return new Attempt(
                (number, status, reason) -> {}, n, Events.foreign(n), Events.id(n), null, false);
    }

    private static IncarnationInfo info(int generation, String address, long started) {
        return new IncarnationInfo(
                new Incarnation(1, generation),
                "east/joiner-0",
                IncarnationState.OPEN,
                false,
                address,
                1,
                started,
                "output");
    }

    private static IncarnationInfo otherSlot() {
        return new IncarnationInfo(
                new Incarnation(2, 9),
                "east/joiner-01",
                IncarnationState.OPEN,
                false,
                "b:2",
                1,
                11,
                "output");
    }
}
