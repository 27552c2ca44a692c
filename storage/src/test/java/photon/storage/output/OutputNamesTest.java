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
    void theFolderIsTheHourInUtc() {
        assertThat(OutputNames.hour(OutputFixture.HOUR_MICROS - 1))
                .isEqualTo("dt=2026-11-23/hour=06");
        assertThat(OutputNames.hour(OutputFixture.HOUR_MICROS)).isEqualTo("dt=2026-11-23/hour=07");
        assertThat(OutputNames.hour(0)).isEqualTo("dt=1970-01-01/hour=00");
        assertThat(OutputNames.hour(-1)).isEqualTo("dt=1969-12-31/hour=23");
        assertThat(
                        OutputNames.published(
                                "late",
                                "dt=2026-11-23/hour=07",
                                new Incarnation(3, 17),
                                5,
                                ".jsonl"))
                .isEqualTo("late/dt=2026-11-23/hour=07/3-17-000005.jsonl");
    }

    @Test
    void pathsOfOneFileDifferInTheHourAtMost() {
        String path = "late/dt=2026-11-23/hour=07/3-17-000005.jsonl";
        for (String same :
                new String[] {
                    path, "late/dt=2026-11-24/hour=00/3-17-000005.jsonl", "late/3-17-000005.jsonl"
                }) {
            assertThat(OutputNames.sameButForTheHour(path, same)).as(same).isTrue();
        }
        for (String other :
                new String[] {
                    "dt=2026-11-23/hour=07/3-17-000005.jsonl",
                    "late/dt=2026-11-23/3-17-000005.jsonl",
                    "late/dt=2026-11-23/hour=07/3-17-000006.jsonl",
                    "../3-17-000005.jsonl"
                }) {
            assertThat(OutputNames.sameButForTheHour(path, other)).as(other).isFalse();
        }
    }

    @Test
    void whatIsNoneOfOursIsNotTakenForOne() {
        for (String name : new String[] {"0-1", "1", "1-1.tmp", "9999999999-1", "1-2147483648"}) {
            assertThat(OutputNames.incarnation(name)).as(name).isEmpty();
        }
    }
}
