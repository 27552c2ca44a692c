package photon.idregistry.members;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.proto.v1.LedGroup;

class ToldGroupsTest {
    private static final ByteString A = ByteString.copyFromUtf8("a");
    private static final ByteString B = ByteString.copyFromUtf8("b");
    private static final List<ByteString> BOTH = List.of(A, B);
    private static final PeerName R3 = new PeerName("r3", 2);

    private final ToldGroups told = new ToldGroups();

    private void tells(ByteString group, boolean stable, long version, String... members) {
        told.heard(
                LedGroup.newBuilder()
                        .setGroup(group)
                        .setStable(stable)
                        .setRosterVersion(version)
                        .addAllMembers(List.of(members))
                        .build());
    }

    @Test
    void allHaveItWhenEachLeaderHasSaidSo() {
        assertThat(told.allHave(BOTH, R3, 2)).isFalse();
        tells(A, true, 2, "r0", "r1", "r3#2");
        assertThat(told.allHave(BOTH, R3, 2)).isFalse();
        assertThat(told.allHave(List.of(A), R3, 2)).isTrue();
        tells(B, true, 3, "r0", "r1", "r3#2");
        assertThat(told.allHave(BOTH, R3, 2)).isTrue();
        tells(B, true, 3, "r0", "r1", "r3");
        assertThat(told.allHave(BOTH, R3, 2)).as("another disk").isFalse();
        tells(B, true, 3, "r0", "r1", "r3", "r3#2");
        assertThat(told.allHave(BOTH, R3, 2)).as("both").isFalse();
    }

    @Test
    void noneHasItWhenEachLeaderHasSaidSo() {
        assertThat(told.noneHas(BOTH, "r3", 2)).as("nothing was said").isFalse();
        tells(A, true, 2, "r0", "r1");
        assertThat(told.noneHas(BOTH, "r3", 2)).isFalse();
        tells(B, true, 2, "r0", "r1", "r3#2");
        assertThat(told.noneHas(BOTH, "r3", 2)).isFalse();
        tells(B, true, 2, "r0", "r1");
        assertThat(told.noneHas(BOTH, "r3", 2)).isTrue();
        told.forget();
        assertThat(told.noneHas(BOTH, "r3", 2)).isFalse();
    }

    @Test
    void whatIsBeingChangedOrWasLookedAtBeforeTheDecisionSaysNothing() {
        tells(A, false, 2, "r0", "r1");
        assertThat(told.noneHas(List.of(A), "r3", 2)).isFalse();
        tells(A, true, 1, "r0", "r1");
        assertThat(told.noneHas(List.of(A), "r3", 2)).isFalse();
        tells(A, false, 2, "r0", "r3#2");
        assertThat(told.allHave(List.of(A), R3, 2)).isFalse();
        tells(A, true, 1, "r0", "r3#2");
        assertThat(told.allHave(List.of(A), R3, 2)).isFalse();
    }
}
