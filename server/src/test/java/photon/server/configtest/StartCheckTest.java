package photon.server.configtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import photon.core.config.ConfigLoader;
import photon.core.error.ConfigException;
import photon.core.time.IntervalClock;
import photon.storage.files.HadoopFileStore;

/** What must not be started with. */
class StartCheckTest {
    private static final long NOW = 1_767_225_600_000_000L; // 2026-01-01
    private static final IntervalClock CLOCK = () -> new IntervalClock.Interval(NOW, NOW);
    private static final long AT = 1_760_000_000;
    private static final String CONFIG =
            """
            pipeline: ads
            datacenters: [east]
            primary:
              paths: ["shown-*.csv"]
              format: {type: csv}
              id: {from: [shown]}
              timestamp: {field: at, unit: seconds}
            foreign:
              paths: ["clicks-*.csv"]
              format: {type: csv}
              id: {from: [click]}
              timestamp: {field: at, unit: seconds}
              primaryId: {from: [shown]}
            """;

    @TempDir Path directory;

    @BeforeEach
    void logs() throws IOException {
        write("shown-1.csv", 0, "shown,at\n", rows("s", AT, ""));
        write("clicks-1.csv", 0, "click,at,shown\n", rows("c", AT, ",s"));
    }

    private static String rows(String id, long at, String more) {
        return IntStream.range(0, 50)
                .mapToObj(i -> id + i + "," + (at + i) + (more.isEmpty() ? "" : more + i) + "\n")
                .collect(Collectors.joining());
    }

    private void write(String name, int hour, String... parts) throws IOException {
        Path file = Files.writeString(directory.resolve(name), String.join("", parts));
        Files.setLastModifiedTime(
                file, FileTime.fromMillis(NOW / 1_000 - 86_400_000L + 3_600_000L * hour));
    }

    private List<String> problems(String... replaced) throws IOException {
        String text = CONFIG;
        for (int i = 0; i < replaced.length; i += 2) {
            assertThat(text).contains(replaced[i]);
            text = text.replace(replaced[i], replaced[i + 1]);
        }
        Path file = Files.writeString(directory.resolve("photon.yaml"), text);
        @Nullable ConfigException refused =
                catchThrowableOfType(
                        ConfigException.class,
                        () ->
                                StartCheck.check(
                                        ConfigLoader.load(file).pipeline(),
                                        new HadoopFileStore(),
                                        CLOCK));
        return refused == null
                ? List.of()
                : refused.problems().stream().map(p -> p.replace(directory + "/", "")).toList();
    }

    @Test
    void whatIsRightStarts() throws IOException {
        assertThat(problems()).isEmpty();
    }

    @Test
    void nothingToReadIsNoProblem() throws IOException {
        assertThat(problems("shown-*.csv", "absent/*.csv")).isEmpty();
        write("clicks-1.csv", 0, "");
        assertThat(problems()).isEmpty();
    }

    @Test
    void aColumnThatNoHeaderHas() throws IOException {
        assertThat(problems("from: [click]", "from: [clik]", "field: at", "field: att"))
                .containsExactly(
                        "primary: the header of shown-1.csv has no column 'att'. primary.timestamp.field names 'att', and the nearest field is 'at'. Write primary.timestamp.field: at",
                        "foreign: the header of clicks-1.csv has no column 'clik'. foreign.id names 'clik', and the nearest field is 'click'. Write foreign.id: {from: [click]}");
    }

    /** One file of many is for the ledger: it must not keep a pipeline from its start. */
    @Test
    void aColumnThatOneHeaderLacksIsNoReason() throws IOException {
        write("clicks-2.csv", 1, "klick,at,shown\n", rows("c", AT, ",s"));
        assertThat(problems()).isEmpty();
    }

    @Test
    void aUnitThatIsOff() throws IOException {
        assertThat(problems("at, unit: seconds}\n  primaryId", "at, unit: millis}\n  primaryId"))
                .containsExactly(
                        "foreign.timestamp: 50 of 50 sampled events are dated before 2000: 1970-01-21T08:53:20Z to 1970-01-21T08:53:20Z. The unit is off by 1,000: with unit: seconds the dates are 2025-10-09T08:53:20Z to 2025-10-09T08:54:09Z. Write foreign.timestamp: {field: at, unit: seconds}");
        write("clicks-1.csv", 0, "click,at,shown\n", rows("c", AT * 1_000, ",s"));
        assertThat(problems())
                .singleElement()
                .asString()
                .contains("50 of 50 sampled events are dated after tomorrow")
                .endsWith("Write foreign.timestamp: {field: at, unit: millis}");
    }

    @Test
    void anyDateMayBeSaidToBeRight() throws IOException {
        write("clicks-1.csv", 0, "click,at,shown\n", rows("c", 7, ",s"));
        assertThat(problems())
                .singleElement()
                .asString()
                .endsWith(
                        "An id keeps its date permanently: expected dates from 2000 to tomorrow. If these are right, write foreign.timestamp.plausible: any");
        assertThat(problems("unit: seconds", "unit: seconds, plausible: any")).isEmpty();
        assertThat(problems("unit: seconds", "unit: seconds, plausible: any", "[click]", "[clik]"))
                .singleElement()
                .asString()
                .contains("has no column 'clik'");
    }

    /** One in a hundred of a small sample is no event at all. */
    @Test
    void aFewOddDatesInAShortLogAreNoReason() throws IOException {
        String right = rows("c", AT, ",s");
        write("clicks-1.csv", 0, "click,at,shown\n", right, odd(2));
        assertThat(problems()).isEmpty();
        write("clicks-1.csv", 0, "click,at,shown\n", right, odd(3));
        assertThat(problems())
                .singleElement()
                .asString()
                .contains("3 of 53 sampled events are dated before 2000");
        write("clicks-1.csv", 0, "click,at,shown\n", odd(1));
        assertThat(problems()).as("all of them").hasSize(1);
        write("clicks-1.csv", 0, "click,at,shown\n", odd(2), "d0,%d,s0\n".formatted(AT));
        assertThat(problems()).as("most of them").hasSize(1);
    }

    private static String odd(int records) {
        return IntStream.range(0, records)
                .mapToObj(i -> "odd%d,7,s1\n".formatted(i))
                .collect(Collectors.joining());
    }

    /** A thousand files take no longer than four. */
    @Test
    void theFirstFilesByNameAndTheNewestAreLookedAt() throws IOException {
        for (int i = 2; i < 9; i++) {
            write("clicks-%d.csv".formatted(i), i, "click,at,shown\n", rows("c", AT, ",s"));
        }
        write("clicks-5.csv", 5, "click,at,shown\n", rows("c", 7, ",s"));
        assertThat(problems()).isEmpty();
        write("clicks-5.csv", 20, "click,at,shown\n", rows("c", 7, ",s"));
        assertThat(problems()).hasSize(1);
        write("clicks-5.csv", 5, "click,at,shown\n", rows("c", AT, ",s"));
        write("clicks-2.csv", 2, "click,at,shown\n", rows("c", 7, ",s"));
        assertThat(problems()).hasSize(1);
    }
}
