package photon.simulation.checks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.dispatcher.state.StateDirectory;
import photon.storage.files.MemoryFileStore;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.WorkDirectory;
import photon.storage.output.WorkRecord;
import photon.verifier.repair.RepairRecords;

/** Each checker fails when it should, and only then. */
final class CheckersTest {
    private FinishedWorld world;
    private Checkers checkers;

    @BeforeEach
    void makeWorld() throws IOException {
        world = new FinishedWorld();
        checkers = world.checkers;
    }

    private List<String> found(List<InvariantViolation> violations) {
        return violations.stream().map(InvariantViolation::toString).toList();
    }

    private List<String> quiet() {
        return found(checkers.quiet());
    }

    @Test
    void aWorldInWhichAllWentWellViolatesNothing() {
        assertThat(found(checkers.onPublish("east"))).isEmpty();
        assertThat(found(checkers.onPublish("west"))).isEmpty();
        assertThat(found(checkers.everyMinute())).isEmpty();
        assertThat(found(checkers.onKill())).isEmpty();
        assertThat(checkers.mayBeDone()).isTrue();
        assertThat(quiet()).isEmpty();
        assertThat(checkers.published())
                .isEqualTo(world.truth.fates().getOrDefault(Fate.JOINABLE, 0));
        world.east().files().crashLosingAllUnsynced();
        assertThat(found(checkers.onPowerLoss("east"))).isEmpty();
        assertThat(quiet()).isEmpty();
    }

    @Test
    void checkingChangesNothingAndMeetsNoFault() {
        MemoryFileStore files = world.east().files();
        files.setHook(
                (operation, path) -> {
                    throw new IOException("used by a checker");
                });
        assertThat(quiet()).isEmpty();
    }

    // ---- I1

    @Test
    void anIdentityInBothDatacentersIsFound() throws IOException {
        assertThat(found(checkers.everyMinute())).isEmpty();
        ForeignIdentity one = world.first(Fate.JOINABLE);
        for (DatacenterFiles datacenter : world.datacenters) {
            world.publish(
                    datacenter, List.of(world.record(datacenter, one.id(), one.joined().get(0))));
        }
        assertThat(found(checkers.onPublish("east")))
                .singleElement()
                .asString()
                .contains("I1: published twice", one.id().toString());
    }

    @Test
    void theOtherContentOfAPublishedIdentityIsADuplicateToo() throws IOException {
        assertThat(found(checkers.everyMinute())).isEmpty();
        ForeignIdentity changed =
                world.truth.identities().stream()
                        .filter(i -> i.joined().size() > 1)
                        .findFirst()
                        .orElseThrow();
        world.publish(
                world.west(),
                List.of(world.record(world.west(), changed.id(), changed.joined().get(1))));
        assertThat(found(checkers.onPublish("west")))
                .singleElement()
                .asString()
                .contains("published twice");
    }

    @Test
    void aJoinWithAnotherPrimaryEventOrOfWhatMustNotBeJoinedIsFound() throws IOException {
        ForeignIdentity one = world.first(Fate.JOINABLE);
        String wrong =
                one.joined()
                        .get(0)
                        .replace("\"primary\": {\"query\":\"q", "\"primary\": {\"query\":\"r");
        assertThat(wrong).isNotEqualTo(one.joined().get(0));
        world.publish(world.east(), List.of(world.record(world.east(), one.id(), wrong)));
        assertThat(found(checkers.onPublish("east")))
                .singleElement()
                .asString()
                .contains("no event of the logs is joined like this");
    }

    @Test
    void aPublishedFileThatChangesOrVanishesIsFound() throws IOException {
        String path = world.publish(world.east(), List.of()); // a file without lines counts as well
        assertThat(found(checkers.onPublish("east"))).isEmpty();
        world.east().files().delete(path);
        assertThat(found(checkers.everyMinute())).anyMatch(v -> v.contains("vanished"));
        world.east().files().put(path, "x".getBytes(UTF_8));
        assertThat(found(checkers.everyMinute())).anyMatch(v -> v.contains("changed"));
    }

    @Test
    void aNameThatAPowerCutTookMayComeBackWithTheSameBytesAndMustInTheEnd() throws IOException {
        MemoryFileStore files = world.east().files();
        assertThat(found(checkers.everyMinute())).isEmpty();
        String path = world.east().outputDirectory() + "/9-1-000001.jsonl";
        write(files, path, "");
        assertThat(found(checkers.onPublish("east"))).isEmpty();
        files.crashLosingAllUnsynced();
        assertThat(files.stat(path)).isNull();
        assertThat(found(checkers.onPowerLoss("east"))).isEmpty();
        assertThat(found(checkers.onPublish("east"))).isEmpty();
        assertThat(quiet()).anyMatch(v -> v.contains("vanished"));
        write(files, path, "other");
        assertThat(found(checkers.everyMinute())).anyMatch(v -> v.contains("changed"));
        files.delete(path);
        write(files, path, "");
        assertThat(found(checkers.everyMinute())).isEmpty();
        files.syncDirectory(world.east().outputDirectory());
        assertThat(found(checkers.everyMinute())).isEmpty();
        files.delete(path);
        files.syncDirectory(world.east().outputDirectory());
        files.crashLosingAllUnsynced();
        assertThat(found(checkers.onPowerLoss("east"))).anyMatch(v -> v.contains("vanished"));
    }

    private static void write(MemoryFileStore files, String path, String text) throws IOException {
        try (var file = files.create(path)) {
            file.write(text.getBytes(UTF_8), 0, text.length());
            file.sync();
        }
    }

    // ---- I3

    @Test
    void anEventWithoutItsRowIsForgotten() throws IOException {
        ForeignIdentity waiting = world.first(Fate.WAITING);
        DatacenterFiles reader =
                waiting.datacenters().get(0).equals("east") ? world.east() : world.west();
        assertThat(found(checkers.everyMinute())).isEmpty();
        world.removeRow(reader, waiting.id());
        assertThat(found(checkers.onKill()))
                .singleElement()
                .asString()
                .contains("I3", "the checkpoint of " + reader.name(), waiting.id().toString());
        assertThat(quiet()).anyMatch(v -> v.startsWith("I2") && v.contains("WAITING"));
    }

    /** A row of another datacenter is no excuse, unless it is a repair row. */
    @Test
    void anUnpublishedEventIsOwedByAnOpenIncarnationOrARepairRow() throws IOException {
        assertThat(found(checkers.everyMinute())).isEmpty();
        ForeignIdentity one = world.first(Fate.WAITING);
        DatacenterFiles reader =
                one.datacenters().get(0).equals("east") ? world.east() : world.west();
        DatacenterFiles other = reader.equals(world.east()) ? world.west() : world.east();
        world.removeRow(reader, one.id());
        if (!one.datacenters().contains(other.name())) {
            world.inJournal(other, j -> j.put(FinishedWorld.row(world.event(one), null)));
        }
        CommitToken token = CommitToken.of(world.incarnation(other), 999_999);
        world.holders.put(one.id(), token);
        assertThat(found(checkers.onKill())).isEmpty();

        world.settled.add(token.incarnation());
        assertThat(found(checkers.onKill()))
                .singleElement()
                .asString()
                .contains("held by", "settled");

        world.inJournal(other, j -> j.put(FinishedWorld.row(world.event(one), token)));
        assertThat(found(checkers.onKill())).isEmpty();
    }

    /** The next attempt at the repair hands it over again, even if nobody holds it by then. */
    @Test
    void whatARepairThatIsNotDoneHasFoundLostIsKept() throws IOException {
        ForeignIdentity one = world.first(Fate.WAITING);
        DatacenterFiles reader =
                one.datacenters().get(0).equals("east") ? world.east() : world.west();
        assertThat(found(checkers.everyMinute())).isEmpty();
        world.removeRow(reader, one.id());
        CommitToken token = CommitToken.of(world.incarnation(reader), 999_999);
        new RepairRecords(reader.files(), reader.verifierState())
                .add(token.incarnation(), Map.of(one.id(), token));
        assertThat(found(checkers.onKill())).isEmpty();

        world.settled.add(token.incarnation());
        assertThat(found(checkers.onKill())).singleElement().asString().contains("not held");
    }

    @Test
    void aLedgerEntryKeepsAnEvent() throws IOException {
        ForeignIdentity one = world.first(Fate.WAITING);
        DatacenterFiles reader =
                one.datacenters().get(0).equals("east") ? world.east() : world.west();
        assertThat(found(checkers.everyMinute())).isEmpty();
        world.removeRow(reader, one.id());
        assertThat(found(checkers.onKill())).hasSize(1);
        enter(reader, LedgerEntry.Kind.DEAD_LETTER, one);
        assertThat(found(checkers.onKill())).isEmpty();
        assertThat(quiet()).anyMatch(v -> v.contains("1 dead letters"));
    }

    /** The other has read it, too, and says nothing of it. */
    @Test
    void whatALostStateHadMayBeTooOldForTheNext() throws IOException {
        ForeignIdentity one =
                world.truth.identities().stream()
                        .filter(i -> i.fate() == Fate.WAITING && i.datacenters().size() == 2)
                        .findFirst()
                        .orElseThrow();
        assertThat(found(checkers.everyMinute())).isEmpty();
        world.removeRow(world.east(), one.id());
        world.removeRow(world.west(), one.id());
        enter(world.east(), LedgerEntry.Kind.SKIPPED, one);
        assertThat(found(checkers.onKill())).singleElement().asString().contains("of west");

        MemoryFileStore files = world.east().files();
        String ledger = FinishedWorld.state(world.east()).ledger();
        Map<String, byte[]> readAgain = new TreeMap<>();
        for (var file : files.list(ledger)) {
            readAgain.put(file.path(), files.content(file.path()));
        }
        enter(world.east(), LedgerEntry.Kind.OUTCOME_LOST, one);
        checkers.readsAgain("east");
        for (var file : files.list(ledger)) {
            files.delete(file.path());
        }
        files.syncDirectory(ledger);
        assertThat(found(checkers.onKill())).isNotEmpty();
        for (var file : readAgain.entrySet()) {
            files.put(file.getKey(), file.getValue());
        }
        assertThat(found(checkers.onKill())).isEmpty();
    }

    private static void enter(
            DatacenterFiles datacenter, LedgerEntry.Kind kind, ForeignIdentity identity)
            throws IOException {
        String directory = FinishedWorld.state(datacenter).ledger();
        try (Ledger ledger = Ledger.open(datacenter.files(), directory)) {
            ledger.append(new LedgerEntry(kind, identity.id(), "", "test", "", -1, "", 0));
        }
    }

    @Test
    void aJournalThatCannotBeReadIsFound() throws IOException {
        DatacenterFiles east = world.east();
        StateDirectory state = FinishedWorld.state(east);
        assertThat(found(checkers.everyMinute())).isEmpty();
        MemoryFileStore files = east.files();
        String newest =
                files.list(state.journal()).stream()
                        .map(info -> info.path())
                        .filter(path -> path.endsWith(".seg"))
                        .reduce((a, b) -> b)
                        .orElseThrow();
        files.corrupt(newest, 40);
        assertThat(found(checkers.onKill())).anyMatch(v -> v.startsWith("I3"));
    }

    // ---- I2

    @Test
    void whatIsNotJoinedInTheEndIsFound() throws IOException {
        Checkers late = new Checkers(world.truth, world.datacenters, world, Optional.empty());
        assertThat(late.mayBeDone()).isFalse();
        ForeignIdentity one = world.first(Fate.JOINABLE);
        String line = one.joined().get(0);
        boolean taken = false;
        for (DatacenterFiles datacenter : world.datacenters) {
            for (var file :
                    datacenter.files().glob(datacenter.outputDirectory() + "/dt=*/hour=*/*")) {
                String text = new String(datacenter.files().content(file.path()), UTF_8);
                if (text.contains(line)) {
                    taken = true;
                    datacenter
                            .files()
                            .put(file.path(), text.replace(line + "\n", "").getBytes(UTF_8));
                }
            }
        }
        assertThat(taken).isTrue();
        List<String> found = found(late.quiet());
        assertThat(found)
                .anyMatch(v -> v.contains("expected to be published, but are not"))
                .anyMatch(v -> v.contains("the books do not balance"));
    }

    @Test
    void anIncarnationThatIsNotRepairedIsFound() {
        world.dead.add(world.incarnation(world.east()));
        assertThat(quiet()).singleElement().asString().contains("were not repaired: [1-1]");
        assertThat(checkers.mayBeDone()).isFalse();
        world.settled.add(new Incarnation(1, 1));
        assertThat(quiet()).isEmpty();
        assertThat(checkers.mayBeDone()).isTrue();
    }

    @Test
    void aMarkThatAPowerCutHasTakenIsFound() throws IOException {
        MemoryFileStore files = world.east().files();
        String sealed = world.east().outputDirectory() + "/_work/1-1.sealed";
        files.createDirectories(sealed);
        files.create(sealed + "/SEALED").close();
        world.settled.add(new Incarnation(1, 1));
        world.repaired.add(new Incarnation(1, 1));
        assertThat(found(checkers.onPowerLoss("east"))).isEmpty();
        files.crashLosingAllUnsynced();
        assertThat(found(checkers.onPowerLoss("east")))
                .singleElement()
                .asString()
                .contains("1-1 was repaired", "no mark");
    }

    @Test
    void aHeldIdWithoutARecordIsALossThatNobodyOwns() {
        EventId id = world.first(Fate.WAITING).id();
        world.holders.put(id, new CommitToken(1, 1, 77_777));
        assertThat(quiet()).singleElement().asString().contains("held, but in no published file");
    }

    @Test
    void whatTheBoundaryHasPassedIsWaitedForWhileItIsHeld() throws IOException {
        FinishedWorld late = FinishedWorld.withAnEventThatTheBoundaryHasPassed();
        ForeignIdentity passed = late.first(Fate.JOINABLE);
        assertThat(found(late.checkers.quiet())).isEmpty();
        assertThat(late.checkers.mayBeDone()).isTrue();

        // A shard whose own boundary is behind has accepted it; the work log goes on.
        WorkRecord record = late.record(late.east(), passed.id(), passed.joined().get(0));
        assertThat(late.checkers.mayBeDone()).isFalse();
        assertThat(found(late.checkers.quiet()))
                .singleElement()
                .asString()
                .contains("held, but in no published file");

        late.publish(late.east(), List.of(record));
        assertThat(found(late.checkers.onPublish("east"))).isEmpty();
        assertThat(late.checkers.mayBeDone()).isTrue();
        assertThat(found(late.checkers.quiet())).isEmpty();
    }

    @Test
    void aRecordOfATokenThatDoesNotHoldTheIdIsVoid() {
        EventId id = world.first(Fate.JOINABLE).id();
        world.holders.put(id, new CommitToken(2, 1, 88_888));
        assertThat(quiet()).singleElement().asString().contains("token is not the holder");
        world.holders.remove(id);
        assertThat(quiet()).singleElement().asString().contains("held by null");
    }

    @Test
    void aPublishedEventThatIsTooOldOrMustWaitIsFound() throws IOException {
        ForeignIdentity old = world.first(Fate.TOO_OLD);
        world.publish(world.east(), List.of(world.record(world.east(), old.id(), "{}")));
        assertThat(quiet()).anyMatch(v -> v.contains("no event of the logs is joined like this"));
    }

    @Test
    void aBadRecordThatWasNotWrittenDownIsFound() throws IOException {
        String path = "/east/logs/foreign-2.jsonl";
        world.east().files().put(path, new byte[0]);
        String directory = FinishedWorld.state(world.east()).ledger();
        try (Ledger ledger = Ledger.open(world.east().files(), directory)) {
            ledger.append(
                    new LedgerEntry(
                            LedgerEntry.Kind.BAD_RECORD, null, "", "test", path, 5, "x", 0));
        }
        assertThat(quiet())
                .singleElement()
                .asString()
                .contains("in the dispatcher's ledger of east");
        world.east().files().put(path, "12345\n?\n".getBytes(UTF_8));
        assertThat(quiet()).anyMatch(v -> v.contains("foreign-2@0"));
    }

    @Test
    void whatIsBeyondEveryCheckpointIsUnread() throws IOException {
        DatacenterFiles east = world.east();
        ForeignIdentity alone =
                world.truth.identities().stream()
                        .filter(i -> i.fate() == Fate.WAITING)
                        .filter(i -> i.datacenters().equals(List.of("east")))
                        .findFirst()
                        .orElseThrow();
        world.removeRow(east, alone.id());
        String checkpoint = FinishedWorld.state(east).checkpoint();
        east.files().delete(checkpoint);
        // A power cut would bring it back: what is durable counts.
        assertThat(found(checkers.everyMinute())).singleElement().asString().contains("I3");
        east.files().syncAll();
        assertThat(found(checkers.everyMinute())).isEmpty();
        assertThat(quiet()).anyMatch(v -> v.contains("1 unread"));
    }

    @Test
    void anAnswerWhoseRecordIsNotDurableIsFound() throws IOException {
        DatacenterFiles east = world.east();
        ForeignIdentity one = world.first(Fate.JOINABLE);
        EventId published =
                world.truth.identities().stream()
                        .map(ForeignIdentity::id)
                        .filter(id -> held(id).equals(world.incarnation(east)))
                        .findFirst()
                        .orElseThrow();
        Incarnation by = world.incarnation(east);
        assertThat(found(checkers.onAnswered("east", List.of(by), List.of(published)))).isEmpty();

        EventId orphan = world.first(Fate.WAITING).id();
        assertThat(found(checkers.onAnswered("east", List.of(by), List.of(published, orphan))))
                .singleElement()
                .asString()
                .contains("without a durable record", orphan.toString());
        WorkDirectory.WorkLog log = world.openLog(east);
        log.append(world.record(east, orphan, one.joined().get(0)));
        log.flush();
        assertThat(found(checkers.onAnswered("east", List.of(by), List.of(orphan)))).hasSize(1);
        log.sync();
        assertThat(found(checkers.onAnswered("east", List.of(by), List.of(orphan)))).isEmpty();
    }

    /** Of what is joined, whose it is. */
    private Incarnation held(EventId id) {
        CommitToken holder = world.holder(id);
        return holder == null ? new Incarnation(999, 1) : holder.incarnation();
    }
}
