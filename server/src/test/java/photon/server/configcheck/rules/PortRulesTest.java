package photon.server.configcheck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import photon.core.rpc.HostPort;

class PortRulesTest {
    private static CheckLine of(PortRules.Port port, boolean runs) {
        return PortRules.of("deployment.dispatcher", new HostPort("d.example", 7400), port, runs);
    }

    @Test
    void aPortIsFreeOrTheDaemonsOwn() {
        assertThat(of(PortRules.Port.FREE, false).level()).isEqualTo(CheckLine.Level.OK);
        CheckLine own = of(PortRules.Port.TAKEN, true);
        assertThat(own.level()).isEqualTo(CheckLine.Level.OK);
        assertThat(own.found()).isEqualTo("taken by this daemon, which runs");
        assertThat(of(PortRules.Port.TAKEN, false).level()).isEqualTo(CheckLine.Level.FAIL);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FREE")
    void whatFailsNamesTheKeyAndSaysWhatIsRight(PortRules.Port port) {
        CheckLine line = of(port, false);
        assertThat(line.level()).isEqualTo(CheckLine.Level.FAIL);
        assertThat(line.subject()).isEqualTo("deployment.dispatcher d.example:7400");
        assertThat(line.expected()).isNotEmpty();
    }
}
