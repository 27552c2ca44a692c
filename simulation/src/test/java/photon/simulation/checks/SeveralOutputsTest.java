package photon.simulation.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.MemoryFileStore;

/** The checkers of a world whose events give several joined events, in several outputs. */
final class SeveralOutputsTest {
    private FinishedWorld world;
    private Checkers checkers;

    @BeforeEach
    void makeWorld() throws IOException {
        world = FinishedWorld.withSeveralOutputs();
        checkers = world.checkers;
    }

    private static List<String> found(List<InvariantViolation> violations) {
        return violations.stream().map(InvariantViolation::toString).toList();
    }

    @Test
    void aWorldInWhichAllWentWellViolatesNothing() {
        assertThat(world.truth.fates()).containsKeys(Fate.SKIPPED, Fate.REJECTED);
        assertThat(found(checkers.everyMinute())).isEmpty();
        assertThat(checkers.mayBeDone()).isTrue();
        assertThat(found(checkers.quiet())).isEmpty();
        assertThat(checkers.inSeveralOutputs()).isGreaterThan(20);
    }

    @Test
    void aFileOfOneOutputThatIsMissingIsFound() throws IOException {
        for (String path :
                new TreeSet<>(
                        OutputChecker.published(world.east().files(), world.east()).keySet())) {
            if (path.contains("/audit/")) {
                world.east().files().delete(path);
            }
        }
        assertThat(checkers.mayBeDone()).isFalse();
        assertThat(found(checkers.quiet()))
                .anyMatch(text -> text.contains("only in part"))
                .anyMatch(text -> text.contains("a manifest says that it gave"));
    }

    @Test
    void whatStandsInAnOutputThatIsNotItsOwnIsFound() throws IOException {
        assertThat(found(checkers.everyMinute())).isEmpty();
        ForeignIdentity one = world.first(Fate.JOINABLE);
        String line = one.emitted().get(0).line();
        world.publish(
                world.east(),
                List.of(
                        world.record(
                                world.east(),
                                one,
                                List.of(FinishedWorld.joinedEvent("other", line)))));
        assertThat(found(checkers.onPublish("east")))
                .singleElement()
                .asString()
                .contains("what belongs to output", "stands at east/east/output/other/");
    }

    @Test
    void whatTheAdapterLeavesOutOrRefusesMustStandInTheLedger() throws IOException {
        MemoryFileStore files = world.east().files();
        String ledger = FinishedWorld.state(world.east()).ledger();
        for (FileInfo segment : files.list(ledger)) {
            files.delete(segment.path());
        }
        files.syncDirectory(ledger);
        assertThat(found(checkers.quiet()))
                .anyMatch(text -> text.contains("expected SKIPPED in east"))
                .anyMatch(text -> text.contains("expected REJECTED in east"));
    }

    // ---- all of an event by one publication

    private static final EventId ID = new EventId(1_000, 0, 1, 1);

    private static Emitted joined(String output, int ordinal, int count) {
        return new Emitted(ID, "pair", output, ordinal, count, output + ordinal, false);
    }

    private static String file(String folder, int sequence) {
        return "/east/out/%sdt=2026-01-01/hour=00/1-1-%06d.jsonl".formatted(folder, sequence);
    }

    @Test
    void anEventIsWholeWhenAllThatItGivesStandsThere() {
        PublishedEvents events = new PublishedEvents();
        assertThat(events.add(joined("", 0, 3), "east", file("", 1), 1)).isNull();
        assertThat(events.add(joined("", 1, 3), "east", file("", 1), 2)).isNull();
        assertThat(events.isWhole(ID)).isFalse();
        assertThat(events.add(joined("audit", 0, 3), "east", file("audit/", 1), 1)).isNull();
        assertThat(events.isWhole(ID)).isTrue();
        assertThat(events.inSeveralOutputs()).isEqualTo(1);

        assertThat(events.remove("east", file("audit/", 1))).containsExactly(ID);
        assertThat(events.isWhole(ID)).isFalse();
        assertThat(events.countOf(ID)).isEqualTo(2);
        assertThat(events.by("east")).containsOnlyKeys(new Incarnation(1, 1));
        assertThat(events.by("west")).isEmpty();
    }

    @Test
    void oneOutputAndOrdinalIsPublishedOnce() {
        PublishedEvents events = new PublishedEvents();
        assertThat(events.add(joined("", 0, 2), "east", file("", 1), 1)).isNull();
        assertThat(events.add(joined("", 0, 2), "west", file("", 7), 1))
                .contains("published twice");
    }

    @Test
    void partsOfTwoPublicationsOrOfTwoContentsAreFound() {
        PublishedEvents events = new PublishedEvents();
        assertThat(events.add(joined("", 0, 3), "east", file("", 1), 1)).isNull();
        assertThat(events.add(joined("audit", 0, 3), "east", file("audit/", 2), 1))
                .contains("in part by another");
        assertThat(events.add(joined("billing", 0, 3), "west", file("billing/", 1), 1))
                .contains("in part by another");
        Emitted other = new Emitted(ID, "other pair", "late", 0, 1, "line", false);
        assertThat(events.add(other, "east", file("late/", 1), 1)).contains("other contents");
    }

    @Test
    void thoseOfOneOutputStandInOrder() {
        PublishedEvents events = new PublishedEvents();
        assertThat(events.add(joined("audit", 1, 2), "east", file("audit/", 1), 1))
                .contains("number 1 of output 'audit'", "at null");
    }
}
