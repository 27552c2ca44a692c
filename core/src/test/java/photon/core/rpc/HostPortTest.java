package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.BindException;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;

class HostPortTest {
    /** A wrong configuration would keep a supervisor from starting the process again. */
    @Test
    void aNameThatIsNotKnownYetIsAFailureAndNoWrongConfiguration() {
        assertThatThrownBy(() -> HostPort.parse("no-such-host.invalid:7400").resolved("calls"))
                .isInstanceOf(FailedException.class)
                .hasMessageStartingWith(
                        "Cannot listen on no-such-host.invalid:7400 for calls: unknown host");
        assertThat(HostPort.parse("127.0.0.1:7400").resolved("calls").isUnresolved()).isFalse();
    }

    /** The system says why in its own language. */
    @Test
    void anAddressOfNoInterfaceMayComeAndAPortThatIsTakenIsAWrongConfiguration() {
        assertThat(cannotListen("192.0.2.77", "Impossible d'assigner l'adresse demandée"))
                .isInstanceOf(FailedException.class)
                .hasMessageEndingWith("Expected an address that this machine has");
        for (String own : List.of("127.0.0.1", "127.9.9.9", "0.0.0.0", "localhost")) {
            assertThat(cannotListen(own, "Adresse déjà utilisée"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageEndingWith("Expected a free port");
        }
    }

    private static RuntimeException cannotListen(String host, String why) {
        return new HostPort(host, 7400)
                .cannotListen("calls", new BindException(why), "a free port");
    }
}
