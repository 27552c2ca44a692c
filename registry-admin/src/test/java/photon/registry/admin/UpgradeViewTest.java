package photon.registry.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far an upgrade is, by what the servers understand. */
class UpgradeViewTest {
    private static UpgradeView view(int level, int... understood) {
        return new UpgradeView(
                level,
                java.util.stream.IntStream.range(0, understood.length)
                        .mapToObj(n -> new UpgradeView.Member("r" + n, understood[n], n != 1))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "3, 3, 3, 3, DONE",
        "3, 4, 3, 3, UNDER_WAY",
        "3, 4, 4, 4, TO_BE_FINALIZED",
        "4, 4, 4, 4, DONE",
        "3, 4, 4, 0, NOT_KNOWN",
        "0, 4, 4, 4, NOT_KNOWN",
        "3, 5, 4, 4, UNDER_WAY",
    })
    void whatComesNext(int level, int first, int second, int third, UpgradeView.Phase phase) {
        assertThat(view(level, first, second, third).phase()).isEqualTo(phase);
    }

    @Test
    void itSaysWhoIsBehindAndWhatMayBeDone() {
        assertThat(view(3, 4, 3, 4).summary())
                .isEqualTo(
                        "feature level 3: the upgrade is under way. [r1] run an earlier version than the others. Upgrade them, or go back with the others");
        assertThat(view(3, 4, 0, 4).summary()).contains("[r1] have not told what they understand");
        assertThat(view(3, 4, 4, 4).summary())
                .contains("every server understands 4")
                .contains("until you run 'photon upgrade finalize'");
        assertThat(view(2, 4, 4, 4).summary()).contains("are about to raise it to 3");
        assertThat(view(4, 4, 4, 4).toText())
                .contains("r1      4            does not answer")
                .endsWith("A server of a version that understands less is refused\n");
        assertThat(view(3, 4, 3, 4).behind(4)).isEqualTo(List.of("r1"));
        assertThat(view(3, 4, 3, 4).toJson().toString())
                .isEqualTo(
                        "{\"featureLevel\":3,\"understoodByAll\":3,\"phase\":\"under-way\",\"members\":["
                                + "{\"name\":\"r0\",\"understands\":4,\"answers\":true},"
                                + "{\"name\":\"r1\",\"understands\":3,\"answers\":false},"
                                + "{\"name\":\"r2\",\"understands\":4,\"answers\":true}]}");
    }
}
