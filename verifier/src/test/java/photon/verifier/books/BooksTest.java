package photon.verifier.books;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.EndedEntries;
import photon.storage.ledger.LedgerEntry.Kind;
import photon.storage.output.RetiredIncarnations.Left;
import photon.verifier.source.MemoryLogs;

final class BooksTest {
    private final MemoryLogs logs = new MemoryLogs();
    private final FakeDatacenter east = new FakeDatacenter("east");
    private final FakeDatacenter west = new FakeDatacenter("west");

    private static EventId id(int n) {
        return new EventId(n, n, n, n);
    }

    /** In the log "clicks", in this order. */
    private EventId click(int n) {
        logs.append("clicks", id(n));
        return id(n);
    }

    private void bothReadAll() {
        east.readUpTo(logs.position("clicks", 1_000));
        west.readUpTo(logs.position("clicks", 1_000));
    }

    private Bookkeeper keeper() {
        try {
            return Bookkeeper.read(List.of(east, west), logs, () -> 0, Long.MIN_VALUE);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Books books() {
        return keeper().books();
    }

    @Test
    void eachAccountIsReadFromItsOwnFiles() {
        east.joined(click(1));
        west.wrote(Kind.DEAD_LETTER, click(2));
        west.waiting(click(3));
        east.wrote(Kind.OUTCOME_LOST, click(4));
        east.wrote(Kind.SKIPPED, click(5), "too old", "", -1);
        west.wrote(Kind.SKIPPED, click(6), "a robot", "", -1);
        east.wrote(Kind.SKIPPED, click(7), "a robot", "", -1);
        click(8); // read, and nowhere
        east.readUpTo(logs.position("clicks", 3));
        west.readUpTo(logs.position("clicks", 8));
        click(9); // unread
        Books books = books();
        assertThat(books.foreignEvents()).isEqualTo(9);
        assertThat(books.joined()).isEqualTo(1);
        assertThat(books.deadLettered()).isEqualTo(1);
        assertThat(books.waitingByReason()).isEqualTo(Map.of("no primary event yet", 1L));
        assertThat(books.outcomeLost()).isEqualTo(1);
        assertThat(books.skipped()).isEqualTo(Map.of("too old", 1L, "a robot", 2L));
        assertThat(books.unaccounted()).isEqualTo(1);
        assertThat(books.unread()).isEqualTo(1);
        assertThat(books.samples().unaccounted()).containsExactly("text-of-8");
        assertThat(books.samples().outcomeLost()).containsExactly("text-of-4");
        assertThat(books.balanced()).isFalse();
    }

    @Test
    void theFirstAccountThatIsTrueCounts() {
        bothReadAll();
        List<Runnable> entries = new ArrayList<>();
        EventId id = click(1);
        assertThat(books().unaccounted()).isEqualTo(1);
        entries.add(() -> west.wrote(Kind.SKIPPED, id));
        entries.add(() -> east.wrote(Kind.OUTCOME_LOST, id));
        entries.add(() -> west.waiting(id));
        entries.add(() -> east.wrote(Kind.DEAD_LETTER, id));
        entries.add(() -> west.joined(id));
        List<String> counted = new ArrayList<>();
        for (Runnable entry : entries) {
            entry.run();
            counted.add(onlyAccountOf(books()));
        }
        assertThat(counted)
                .containsExactly("skipped", "outcomeLost", "waiting", "deadLettered", "joined");
    }

    private static String onlyAccountOf(Books books) {
        assertThat(books.foreignEvents()).isEqualTo(1);
        Map<String, Long> all =
                Map.of(
                        "joined", books.joined(),
                        "deadLettered", books.deadLettered(),
                        "waiting", books.waiting(),
                        "outcomeLost", books.outcomeLost(),
                        "skipped", books.skipped().getOrDefault("because", 0L));
        return all.entrySet().stream()
                .filter(e -> e.getValue() == 1)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    @Test
    void anIdentityThatRepeatsCountsOnce() {
        click(1);
        click(1);
        logs.append("more", id(1));
        bothReadAll();
        east.joined(id(1));
        Books books = books();
        assertThat(books.foreignEvents()).isEqualTo(1);
        assertThat(books.joined()).isEqualTo(1);
        assertThat(books.conflictingRepeats()).isZero();
        assertThat(books.balanced()).isTrue();
    }

    @Test
    void aRepeatWithAnotherContentIsCountedOnceAnIdentity() {
        logs.append("clicks", id(1), "{\"a\":1}");
        logs.append("clicks", id(1), "{\"a\":2}");
        logs.append("clicks", id(1), "{\"a\":3}");
        logs.append("clicks", id(2), "{\"a\":1}");
        assertThat(books().conflictingRepeats()).isEqualTo(1);
    }

    /** Rows that are not there to join it say nothing of what became of it. */
    @Test
    void anEventThatIsOnlyLookedForMustStandElsewhere() {
        EventId written = click(1);
        west.joined(written);
        east.watched(written);
        EventId gone = click(2);
        east.watched(gone);
        EventId writtenOff = click(3);
        east.lost(writtenOff, new CommitToken(1, 1, 1).asUpgrade());
        east.wrote(Kind.OUTCOME_LOST, writtenOff);
        bothReadAll();
        Books books = books();
        assertThat(books.joined()).isEqualTo(1);
        assertThat(books.waiting()).isZero();
        assertThat(books.outcomeLost()).isEqualTo(1);
        assertThat(books.unaccounted()).isEqualTo(1);
        assertThat(books.balanced()).isFalse();
        assertThat(books.byDatacenter().get("east")).isEqualTo(new Books.Datacenter(0, 0));
    }

    @Test
    void joinedInBothDatacentersIsADuplicate() {
        east.joined(click(1));
        west.joined(id(1));
        east.joined(click(2));
        Books books = books();
        assertThat(books.joined()).isEqualTo(2);
        assertThat(books.duplicates()).isEqualTo(1);
        assertThat(books.samples().duplicates()).containsExactly("text-of-1");
        assertThat(books.byDatacenter().get("east")).isEqualTo(new Books.Datacenter(2, 0));
        assertThat(books.byDatacenter().get("west")).isEqualTo(new Books.Datacenter(1, 0));
    }

    @Test
    void joinedTwiceInOneDatacenterIsADuplicateAndCountsOnceThere() {
        click(1);
        east.joined(id(1));
        east.joined(id(1));
        Books books = books();
        assertThat(books.duplicates()).isEqualTo(1);
        assertThat(books.byDatacenter().get("east")).isEqualTo(new Books.Datacenter(1, 0));
    }

    @Test
    void duplicatesAreCountedByJoinedEvent() {
        east.joined(click(1), 3);
        assertThat(books().duplicates()).as("one foreign event may give several").isZero();
        west.joined(id(1), 2);
        assertThat(books().duplicates()).as("ordinals 0 and 1").isEqualTo(2);
        west.joined(id(1), 4);
        assertThat(books().duplicates()).as("and ordinals 0, 1 and 2 again").isEqualTo(5);
    }

    @Test
    void whatNoLogHoldsIsInvented() {
        east.joined(click(1));
        east.joined(id(2));
        west.joined(id(2));
        Books books = books();
        assertThat(books.invented()).isEqualTo(1);
        assertThat(books.alarms()).singleElement().asString().contains(id(2).toString());
        assertThat(books.joined()).isEqualTo(1);
        assertThat(books.foreignEvents()).isEqualTo(1);
        assertThat(books.duplicates()).as("doubled all the same").isEqualTo(1);
        assertThat(books.byDatacenter().get("east")).isEqualTo(new Books.Datacenter(1, 0));
    }

    @Test
    void whatOnlyJournalsAndLedgersHoldIsNoForeignEvent() {
        east.waiting(id(1));
        west.wrote(Kind.DEAD_LETTER, id(2));
        assertThat(books().foreignEvents()).isZero();
    }

    @Test
    void anEventIsJoinedOnlyWhereItsFileIsAsTheManifestSays() {
        bothReadAll();
        CommitToken token = new CommitToken(1, 9, 1);
        east.output.publish(click(1), token, 1);
        east.output.breakFiles(token.incarnation(), "a.jsonl is missing");
        Books books = books();
        assertThat(books.joined()).isZero();
        assertThat(books.unaccounted()).isEqualTo(1);
        assertThat(books.alarms())
                .singleElement()
                .asString()
                .contains("east", "1-9", "a.jsonl is missing");
    }

    @Test
    void manifestsThatCannotBeReadAreAnAlarmAndTheRestIsReadAllTheSame() {
        CommitToken token = new CommitToken(1, 9, 1);
        east.output.publish(click(1), token, 1);
        east.output.breakManifests(token.incarnation());
        west.joined(click(2));
        Books books = books();
        assertThat(books.joined()).isEqualTo(1);
        assertThat(books.alarms()).singleElement().asString().contains("manifest 2 is gone");
    }

    @Test
    void whatRetiredIncarnationsHadPublishedCountsBySums() throws IOException {
        for (int n = 1; n <= 5; n++) {
            click(n);
        }
        bothReadAll();
        east.joined(id(5));
        assertThat(books().unaccounted()).isEqualTo(4);
        east.output.retired(new Incarnation(1, 1), new Left(1, 1, 2, 0, 4));
        west.output.retired(new Incarnation(2, 1), new Left(1, 1, 1, 0, 4));
        Books books = books();
        assertThat(books.joined()).isEqualTo(4);
        assertThat(books.unaccounted()).as("one more than they had").isEqualTo(1);
        assertThat(books.byDatacenter().get("east")).isEqualTo(new Books.Datacenter(3, 0));
        assertThat(books.byDatacenter().get("west")).isEqualTo(new Books.Datacenter(1, 0));
        west.output.retired(new Incarnation(2, 2), new Left(1, 1, 1, 0, 4));
        assertThat(books().unaccounted()).isZero();
        assertThat(books().balanced()).isTrue();
    }

    /** Old ones must not take the place of younger ones that only one datacenter can have had. */
    @Test
    void eachDatacenterHasHadWhatIsNotYoungerThanItsOwnLastId() throws IOException {
        for (int n = 1; n <= 4; n++) {
            click(n);
        }
        bothReadAll();
        east.output.retired(new Incarnation(1, 1), new Left(1, 1, 2, 0, 4));
        west.output.retired(new Incarnation(2, 1), new Left(1, 1, 2, 0, 2));
        assertThat(books().unaccounted()).isZero();
        assertThat(books().byDatacenter().get("west")).isEqualTo(new Books.Datacenter(2, 0));
    }

    @Test
    void whatEndedEntriesOfLedgersHadSaidCountsBySums() throws IOException {
        for (int n = 1; n <= 6; n++) {
            click(n);
        }
        bothReadAll();
        east.joined(id(6));
        east.ended.add(
                ended(
                        Map.of(
                                Kind.SKIPPED,
                                sum("too old", 2, 2),
                                Kind.BAD_RECORD,
                                sum("no id", 7, -1))));
        west.ended.add(
                ended(
                        Map.of(
                                Kind.DEAD_LETTER,
                                sum("the adapter refused", 1, 4),
                                Kind.OUTCOME_LOST,
                                sum("in no log", 1, 3))));
        Books books = books();
        assertThat(books.skipped()).containsExactly(Map.entry("too old", 2L));
        assertThat(books.outcomeLost()).isEqualTo(1);
        assertThat(books.deadLettered()).isEqualTo(1);
        assertThat(books.unaccounted()).as("what is younger").isEqualTo(1);
        assertThat(books.samples().unaccounted()).hasSize(1);
    }

    /** The joined ones must not use up their sum on what only the ledger can have had. */
    @Test
    void sumsOfBothSortsAreSharedOutTogether() throws IOException {
        click(1);
        click(2);
        click(6);
        bothReadAll();
        east.output.retired(new Incarnation(1, 1), new Left(1, 1, 2, 0, 6));
        west.ended.add(ended(Map.of(Kind.SKIPPED, sum("too old", 1, 2))));
        Books books = books();
        assertThat(books.unaccounted()).isZero();
        assertThat(books.joined()).isEqualTo(2);
        assertThat(books.skipped()).containsExactly(Map.entry("too old", 1L));
    }

    @Test
    void whatSumsOfBothSortsDoNotReachIsUnaccounted() throws IOException {
        click(1);
        click(6);
        click(7);
        bothReadAll();
        east.output.retired(new Incarnation(1, 1), new Left(1, 1, 2, 0, 6));
        west.ended.add(ended(Map.of(Kind.SKIPPED, sum("too old", 2, 5))));
        assertThat(books().unaccounted()).isEqualTo(1);
    }

    /** A ledger's sum may be too high: then identities count as joined first. */
    @Test
    void ofEqualReachTheJoinedOnesAreFilledFirst() throws IOException {
        click(1);
        click(2);
        click(3);
        bothReadAll();
        east.output.retired(new Incarnation(1, 1), new Left(1, 1, 2, 0, 6));
        west.ended.add(ended(Map.of(Kind.SKIPPED, sum("too old", 3, 3))));
        assertThat(books().joined()).isEqualTo(2);
        assertThat(books().byDatacenter().get("east")).isEqualTo(new Books.Datacenter(2, 0));
    }

    /** Else the first account would take what the others had: both read all logs. */
    @Test
    void whatBothDatacentersHadCountsOnceIfItCan() throws IOException {
        for (int event = 1; event <= 4; event++) {
            click(event);
        }
        bothReadAll();
        for (FakeDatacenter datacenter : List.of(east, west)) {
            datacenter.ended.add(
                    ended(
                            Map.of(
                                    Kind.DEAD_LETTER, sum("no such ad", 2, 4),
                                    Kind.SKIPPED, sum("too old", 2, 4))));
        }
        Books books = books();
        assertThat(books.deadLettered()).isEqualTo(2);
        assertThat(books.skipped()).containsExactly(Map.entry("too old", 2L));
        assertThat(books.unaccounted()).isZero();
    }

    /** They need not be the same. */
    @Test
    void whatBothDatacentersHadCountsTwiceIfNothingElseIsThere() throws IOException {
        for (int event = 1; event <= 4; event++) {
            click(event);
        }
        bothReadAll();
        east.ended.add(ended(Map.of(Kind.SKIPPED, sum("too old", 2, 4))));
        west.ended.add(ended(Map.of(Kind.SKIPPED, sum("too old", 2, 4))));
        assertThat(books().unaccounted()).isZero();
    }

    private static EndedEntries ended(Map<Kind, SortedMap<String, EndedEntries.Sum>> sums) {
        return new EndedEntries(1, 1, sums);
    }

    private static SortedMap<String, EndedEntries.Sum> sum(
            String reason, long entries, long lastMicros) {
        return new TreeMap<>(Map.of(reason, new EndedEntries.Sum(entries, lastMicros)));
    }

    @Test
    void whatIsYoungerThanTheirLastIdIsNoneOfTheirs() throws IOException {
        click(6);
        bothReadAll();
        east.output.retired(new Incarnation(1, 1), new Left(1, 1, 2, 0, 5));
        assertThat(books().unaccounted()).isEqualTo(1);
    }

    @Test
    void aFileThatNoManifestKnowsIsAnAlarm() {
        west.output.addStranger("zz.jsonl");
        assertThat(books().alarms()).singleElement().asString().contains("west", "zz.jsonl");
    }

    @Test
    void unreadIsOnlyWhatEveryDatacenterHasYetToReadEverywhere() {
        click(1);
        click(2);
        click(1);
        east.readUpTo(logs.position("clicks", 1));
        assertThat(books().unread()).as("the first record of 1 was read").isEqualTo(1);
        west.readUpTo(logs.position("clicks", 2));
        assertThat(books().unread()).as("west has read 2").isZero();
        assertThat(books().unaccounted()).isEqualTo(2);
    }

    @Test
    void withoutACheckpointNothingIsRead() {
        click(1);
        assertThat(books().unread()).isEqualTo(1);
        logs.append("other", id(2));
        east.readUpTo(logs.position("other", 1));
        assertThat(books().unread()).as("a file that the checkpoint does not name").isEqualTo(1);
    }

    @Test
    void whatWaitsIsCountedByWhatItWaitsForAlsoIfItWasSkippedElsewhere() {
        bothReadAll();
        east.wrote(Kind.SKIPPED, click(1), "a robot", "", -1);
        west.waiting(id(1));
        west.waiting(click(2));
        west.wrote(Kind.SKIPPED, id(2), "a robot", "", -1);
        assertThat(books().waitingByReason()).isEqualTo(Map.of("no primary event yet", 2L));
        assertThat(books().waiting()).isEqualTo(2);
    }

    @Test
    void ofBadRecordsTheFirstOfEachKindIsNamed() {
        logs.appendBad("clicks");
        east.wrote(Kind.BAD_RECORD, null, "Expected t, but it is '1'", "queries", 1);
        east.wrote(Kind.BAD_RECORD, null, "Expected t, but it is '22'", "queries", 2);
        Books.Bad bad = books().bad();
        assertThat(bad.records()).isEqualTo(3);
        assertThat(bad.foreign()).isEqualTo(1);
        assertThat(bad.first())
                .extracting(Books.BadRecord::file, Books.BadRecord::offset)
                .containsExactly(tuple("clicks", 0L), tuple("queries", 1L));
    }

    @Test
    void aBadRecordCountsOnceWhoeverFoundIt() {
        logs.appendFiltered("clicks");
        logs.appendBad("clicks");
        east.wrote(Kind.BAD_RECORD, null, "torn", "clicks", MemoryLogs.RECORD_BYTES);
        west.wrote(Kind.BAD_RECORD, null, "torn", "clicks", MemoryLogs.RECORD_BYTES);
        west.wrote(Kind.BAD_RECORD, null, "torn", "queries", MemoryLogs.RECORD_BYTES);
        west.wrote(Kind.BAD_RECORD, null, "torn", "queries", -1);
        assertThat(books().badRecords()).isEqualTo(3);
    }

    @Test
    void whatStandsHalfWrittenIsNamedAndIsNoRecord() {
        click(1);
        logs.leaveHalfWritten("clicks", 7);
        Books books = books();
        assertThat(books.unterminated()).containsExactly("clicks: 7 bytes at 10");
        assertThat(books.badRecords()).isZero();
    }

    @Test
    void booksThatDoNotSumToTheForeignEventsAreABug() {
        Books good = books();
        assertThatThrownBy(
                        () ->
                                new Books(
                                        1,
                                        0,
                                        0,
                                        0,
                                        Map.of(),
                                        0,
                                        Map.of(),
                                        0,
                                        0,
                                        0,
                                        0,
                                        Books.Bad.NONE,
                                        0,
                                        Map.of(),
                                        List.of(),
                                        List.of(),
                                        good.samples()))
                .isInstanceOf(BugException.class)
                .hasMessageContaining("1 foreign events, but they sum to 0");
    }

    @Test
    void theReportListsEachIdentityOnceWhereItCounts() throws IOException {
        bothReadAll();
        east.waiting(click(1));
        west.waiting(id(1));
        east.waiting(click(2)); // west has joined it: not waiting
        west.joined(id(2));
        west.wrote(Kind.DEAD_LETTER, click(3), "refused", "clicks", 20);
        east.wrote(Kind.SKIPPED, click(4), "too old", "", -1);
        east.wrote(Kind.OUTCOME_LOST, click(5));
        east.wrote(Kind.BAD_RECORD, null, "torn", "queries", 70);
        west.wrote(Kind.BAD_RECORD, null, "torn", "queries", 70);
        MemoryFileStore files = new MemoryFileStore();
        files.put("/state/report/waiting.jsonl", "old".getBytes(StandardCharsets.UTF_8));
        Bookkeeper keeper = keeper();
        keeper.writeReport(files, "/state/report");

        List<JsonNode> waiting = lines(files, "waiting.jsonl");
        assertThat(waiting).hasSize(1);
        assertThat(waiting.get(0).get("id").asText()).isEqualTo("text-of-1");
        assertThat(waiting.get(0).get("identity").asText())
                .isEqualTo(HexFormat.of().formatHex(id(1).toBytes()));
        assertThat(waiting.get(0).get("reason").asText()).isEqualTo("no primary event yet");
        assertThat(waiting.get(0).get("datacenter").asText()).isEqualTo("east");
        List<JsonNode> dead = lines(files, "dead-letters.jsonl");
        assertThat(dead).hasSize(2);
        assertThat(dead.get(0).get("identity").isNull()).isTrue();
        assertThat(dead.get(0).get("file").asText()).isEqualTo("queries");
        assertThat(dead.get(0).get("offset").asLong()).isEqualTo(70);
        assertThat(dead.get(1).get("reason").asText()).isEqualTo("refused");
        assertThat(lines(files, "skipped.jsonl")).hasSize(1);
        assertThat(lines(files, "outcome-lost.jsonl")).hasSize(1);
        JsonNode report = lines(files, "report.json").get(0);
        assertThat(report.get("foreignEvents").asLong()).isEqualTo(5);
        assertThat(report.get("joined").asLong()).isEqualTo(1);
        assertThat(report.get("skipped").get("too old").asLong()).isEqualTo(1);
        assertThat(report.get("byDatacenter").get("west").get("joined").asLong()).isEqualTo(1);
    }

    private static List<JsonNode> lines(MemoryFileStore files, String name) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        String text = new String(files.content("/state/report/" + name), StandardCharsets.UTF_8);
        for (String line : text.lines().toList()) {
            lines.add(new ObjectMapper().readTree(line));
        }
        return lines;
    }
}
