package photon.storage.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import photon.core.id.Incarnation;

class OutputNamesTest {
    @Test
    void aDirectoryOfAnyIncarnationIsFound() {
        for (Incarnation incarnation :
                new Incarnation[] {
                    new Incarnation(1, 1), new Incarnation(2_000_000_007, Integer.MAX_VALUE)
                }) {
            assertThat(OutputNames.incarnation(incarnation.toString())).contains(incarnation);
            assertThat(OutputNames.incarnation(OutputNames.sealed(incarnation)))
                    .contains(incarnation);
            assertThat(OutputNames.incarnation(OutputNames.sealedLate(incarnation, "a/b")))
                    .contains(incarnation);
        }
    }

    @Test
    void whatIsNoneOfOursIsNotTakenForOne() {
        for (String name : new String[] {"0-1", "1", "1-1.tmp", "9999999999-1", "1-2147483648"}) {
            assertThat(OutputNames.incarnation(name)).as(name).isEmpty();
        }
    }
}
