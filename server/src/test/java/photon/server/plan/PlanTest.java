package photon.server.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the plan with what was measured, and docs/sizing.md with the plan. With {@code
 * -Dphoton.docs.write} it writes the table there.
 */
class PlanTest {
    private static final String BEGIN = "<!-- The table is what photon plan says (PlanTest). -->\n";
    private static final String END = "<!-- End of the table. -->\n";

    private static Path root() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(at.resolve("docs/decisions"))) {
            at = Objects.requireNonNull(at.getParent(), "no checkout above the working directory");
        }
        return at;
    }

    private static Plan of(long events, int clicks, int datacenters) {
        PlanRequest defaults = PlanRequest.DEFAULTS;
        return Plan.of(
                new PlanRequest(
                        events,
                        clicks,
                        224,
                        datacenters,
                        Duration.ofDays(1),
                        Duration.ofMillis(100),
                        defaults.machineCores()));
    }

    @ParameterizedTest
    @EnumSource(Figure.class)
    void everyFigureIsOnThePageThatItNames(Figure figure) throws IOException {
        assertThat(Files.readString(root().resolve(figure.page()))).contains(figure.quoted());
    }

    /** The rows of docs/sizing.md: microseconds of CPU per input event, everything together. */
    @ParameterizedTest
    @CsvSource({"1, 10, 8.0", "2, 10, 11.1", "2, 100, 23.0"})
    void noMeasuredRowCostsMoreThanIsCalculated(int datacenters, int clicks, double measured) {
        double foreign = clicks / (100.0 + clicks);
        double calculated =
                datacenters * Figure.READ_MICROS.value() + foreign * Figure.JOIN_MICROS.value();
        assertThat(calculated).isBetween(measured - 0.01, measured * 1.27);
    }

    /** The examples that docs/sizing.md calculates by hand. */
    @Test
    void theExamplesOfThePageComeOut() {
        // 55,000 events per second, 5,000 of them foreign, one day.
        Plan plan = of(55_000, 10, 2);
        assertThat(plan.registry().idsHeld()).isCloseTo(432e6, within(1e6));
        assertThat(plan.registry().idsHeld() * Figure.REGISTRY_DISK_BYTES.value())
                .isCloseTo(19.3e9, within(0.1e9));
        assertThat(plan.datacenter().storeDiskBytes()).isCloseTo(811e9, within(5e9));
        assertThat(plan.datacenter().storeHeapBytes() - Figure.DAEMON_HEAP_BYTES.value())
                .isCloseTo(11.7e9, within(0.1e9));
    }

    @Test
    void aCommitGoesToALeaderElsewhereAndFromThereToAMajority() {
        Plan plan = of(55_000, 10, 2);
        assertThat(plan.commitMillis()).isCloseTo(206, within(0.1));
        assertThat(plan.eventsInFlightMax()).isEqualTo(1_030);
    }

    @Test
    void whatGoesBetweenDatacentersIsLogsAndCommits() {
        Plan.Network network = of(55_000, 10, 2).network();
        assertThat(network.logsIntoEach()).isCloseTo(55_000 * 224 * 8 / 2.0, within(1.0));
        assertThat(network.commitsOutOfLeader()).isCloseTo(5_000 * 44 * 8 * 2, within(1.0));
        assertThat(network.commitsIntoLeader()).isCloseTo(5_000 * 44 * 8 / 2.0, within(1.0));
        assertThat(of(55_000, 10, 1).network().logsIntoEach()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"1, 3, true", "2, 3, true", "3, 3, false", "4, 5, true", "5, 5, false"})
    void theLossOfAnyPlaceTakesAMinority(int datacenters, int servers, boolean thirdPlace) {
        Plan plan = of(1_000, 10, datacenters);
        assertThat(plan.registryServers()).isEqualTo(servers);
        assertThat(plan.thirdPlace()).isEqualTo(thirdPlace);
        assertThat(plan.machines()).isEqualTo(servers + datacenters * plan.datacenter().machines());
    }

    @Test
    void moreNeedsMore() {
        Plan small = of(10_000, 10, 2);
        Plan large = of(1_000_000, 10, 2);
        assertThat(large.datacenter().machines()).isGreaterThan(small.datacenter().machines());
        assertThat(large.registry().heapBytes()).isGreaterThan(small.registry().heapBytes());
        assertThat(of(5_000_000, 100, 2).shards()).isEqualTo(13);
    }

    @Test
    void aNoteSaysWhatIsBeyondWhatWasMeasured() {
        assertThat(of(55_000, 10, 3).notes()).containsExactly("deployment.registryNetwork: wan");
        assertThat(of(1_000_000, 10, 3).notes())
                .anyMatch(note -> note.contains("beyond what was measured"))
                .anyMatch(note -> note.startsWith("deployment.eventStores lists 7 in each"))
                .anyMatch(note -> note.contains("takes each event store 16.4 cores"))
                .anyMatch(note -> note.startsWith("limits.eventsInFlightMax must be 18,728"));
    }

    @Test
    void thereAreAsManyEventStoresAsTheHeapOfEachAsksFor() {
        Plan.Datacenter alone = of(300_000, 10, 2).datacenter();
        assertThat(alone.eventStores()).isEqualTo(1);
        assertThat(alone.machines()).isEqualTo(1);
        Plan.Datacenter several = of(400_000, 10, 2).datacenter();
        assertThat(several.eventStores()).isEqualTo(3);
        assertThat(several.machines()).isEqualTo(3);
        // Two of three parts of what one alone would have, and each reads everything.
        double held = 400_000 / 1.1 * 2 * 86_400;
        assertThat(several.storeHeapBytes() - Figure.DAEMON_HEAP_BYTES.value())
                .isCloseTo(held * 2 / 3 * Figure.STORE_HEAP_BYTES.value(), within(1e3));
        assertThat(several.storeDiskBytes()).isLessThan(alone.storeDiskBytes());
        double reading = 400_000 / 1.1 * Figure.READ_MICROS.value() / 1e6;
        assertThat(several.cores()).isCloseTo(alone.cores() * 4 / 3 + 3 * 2 * reading, within(0.1));
        Plan tooMany =
                Plan.of(
                        new PlanRequest(
                                1_000_000, 10, 224, 2, Duration.ofDays(30), Duration.ZERO, 16));
        assertThat(tooMany.notes())
                .anyMatch(note -> note.contains("are more than a datacenter can have, 64"));
        assertThat(PlanText.of(tooMany)).contains("event store 192 in each datacenter");
    }

    @Test
    void theTextAndTheDocumentHaveTheSame() {
        Plan plan = of(55_000, 10, 2);
        assertThat(PlanText.of(plan))
                .contains("load        55,000 events/s of 224 B, 10 foreign per 100 primary")
                .contains("event store 1 in each datacenter, each with 14 GB of heap and 812 GB")
                .contains("machines    5: 3 for the registry, and 1 for each datacenter")
                .contains("note        1 of the registry's servers stand in further places");
        assertThat(PlanJson.of(plan))
                .contains(
                        "\"machines\" : 5,",
                        "\"thirdPlace\" : true",
                        "\"readMicros\"",
                        "\"eventStores\" : 1,");
    }

    @Test
    void theTableOfThePageIsThePlans() throws IOException {
        Path page = root().resolve("docs/sizing.md");
        String text = Files.readString(page);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int to = text.indexOf(END);
        assertThat(text).contains(BEGIN).contains(END);
        String made = text.substring(0, from) + PlanText.page() + text.substring(to);
        if (System.getProperty("photon.docs.write") != null) {
            Files.writeString(page, made);
        }
        assertThat(Files.readString(page))
                .as(
                        "Write it anew: mvn -pl server -am -Dtest=PlanTest"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -Dphoton.docs.write test")
                .isEqualTo(made);
    }
}
