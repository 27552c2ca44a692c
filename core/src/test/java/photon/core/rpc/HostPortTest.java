package photon.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
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
}
