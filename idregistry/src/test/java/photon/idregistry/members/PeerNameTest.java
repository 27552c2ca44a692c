package photon.idregistry.members;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerNameTest {
    @Test
    void theFirstDiskIsCalledAsItsServer() {
        assertThat(new PeerName("r1", 1)).hasToString("r1");
        assertThat(new PeerName("r1", 12)).hasToString("r1#12");
    }

    @ParameterizedTest
    @CsvSource({
        "r1,r1,1",
        "r1#2,r1,2",
        "r1#1,r1#1,1",
        "r1#x,r1#x,1",
        "#2,#2,1",
        "r1#,r1#,1",
        "r#1#3,r#1,3",
        "r1#99999999999,r1#99999999999,1"
    })
    void readsWhatItHasWritten(String peer, String server, int number) {
        assertThat(PeerName.parse(peer)).isEqualTo(new PeerName(server, number));
        assertThat(PeerName.parse(peer)).hasToString(peer);
    }
}
