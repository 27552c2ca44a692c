package photon.verifier.books;

import static photon.core.error.Checks.check;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.storage.files.FileStore;
import photon.storage.ledger.EndedEntries;
import photon.storage.ledger.LedgerEntry;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory.StoredManifest;
import photon.storage.tail.Checkpoint;
import photon.verifier.source.ForeignLogs;

/**
 * Reads the books back from files (docs/protocol.md section 8). Blocking; for after a run. Memory:
 * about 65 bytes a distinct identity, and one manifest at a time.
 */
public final class Bookkeeper {
    /** How many identities a sample holds. */
    public static final int SAMPLES_MAX = 10;

    private static final int ALARMS_MAX = 1_000;

    private final List<DatacenterRecords> datacenters;
    private final long keptSinceMicros;
    private final Accounts accounts = new Accounts();
    private final BadRecords badRecords = new BadRecords();
    private final LeftSums leftSums = new LeftSums();
    private final Upgrades upgrades = new Upgrades();
    private final List<String> alarms = new ArrayList<>();
    private final IdentitySample duplicateSample = new IdentitySample();
    private final IdentitySample inventedSample = new IdentitySample();
    private final Map<String, Books.Datacenter> byDatacenter = new LinkedHashMap<>();
    private List<String> unterminated = List.of();
    private Map<EventId, String> names = Map.of();
    private long foreignBad;
    private long alarmsLeftOut;
    private long duplicates;
    private long invented;

    private Bookkeeper(List<? extends DatacenterRecords> datacenters, long keptSinceMicros) {
        this.keptSinceMicros = keptSinceMicros;
        this.datacenters = List.copyOf(datacenters);
        check(
                datacenters.size() <= Accounts.DATACENTERS_MAX,
                "Expected at most %s datacenters",
                Accounts.DATACENTERS_MAX);
    }

    /**
     * Reads everything.
     *
     * @param datacenters all of them: an event is joined where it is published in any
     * @param logs the foreign logs, which all of them read
     * @param nanoTime monotonic time
     * @param keptSinceMicros from when on published files must be there, by the timestamps of their
     *     events; {@link Long#MIN_VALUE}: always
     */
    public static Bookkeeper read(
            List<? extends DatacenterRecords> datacenters,
            ForeignLogs logs,
            LongSupplier nanoTime,
            long keptSinceMicros)
            throws IOException {
        Bookkeeper keeper = new Bookkeeper(datacenters, keptSinceMicros);
        ForeignReading foreign = new ForeignReading(logs, nanoTime);
        foreign.readAll(keeper.accounts, keeper.badRecords);
        keeper.foreignBad = keeper.badRecords.size();
        keeper.unterminated = foreign.unterminated();
        for (int i = 0; i < keeper.datacenters.size(); i++) {
            keeper.readDatacenter(i, foreign);
        }
        keeper.upgrades.compare(foreign, keeper.accounts, keeper::duplicate);
        keeper.upgrades.withoutEvent().forEach(keeper::invented);
        Set<EventId> strange = keeper.sampled();
        if (!strange.isEmpty()) {
            keeper.names = foreign.namesOf(strange);
        }
        return keeper;
    }

    /** What was read, added up. */
    public Books books() {
        Map<Account, Long> counts = new EnumMap<>(Account.class);
        Map<String, Long> waiting = new TreeMap<>();
        Map<String, Long> skipped = new TreeMap<>();
        IdentitySample unaccounted = new IdentitySample();
        IdentitySample outcomeLost = new IdentitySample();
        LeftSums.Sharing sums =
                forEachForeign(
                        (row, account, left) -> {
                            counts.merge(account, 1L, Long::sum);
                            switch (account) {
                                case WAITING ->
                                        waiting.merge(accounts.reasonOf(row), 1L, Long::sum);
                                case SKIPPED ->
                                        skipped.merge(
                                                left.isPresent()
                                                        ? left.get().of()
                                                        : accounts.reasonOf(row),
                                                1L,
                                                Long::sum);
                                case UNACCOUNTED -> unaccounted.add(accounts.id(row));
                                case OUTCOME_LOST -> outcomeLost.add(accounts.id(row));
                                default -> {}
                            }
                        });
        return new Books(
                accounts.foreignEvents(),
                count(counts, Account.JOINED),
                upgrades.count(),
                count(counts, Account.DEAD_LETTERED),
                waiting,
                count(counts, Account.OUTCOME_LOST),
                skipped,
                count(counts, Account.UNREAD),
                count(counts, Account.UNACCOUNTED),
                duplicates,
                invented,
                new Books.Bad(badRecords.size(), foreignBad, badRecords.first()),
                accounts.conflictingRepeats(),
                sums.addTo(byDatacenter),
                allAlarms(),
                unterminated,
                new Books.Samples(
                        duplicateSample.texts(names),
                        inventedSample.texts(names),
                        unaccounted.texts(names),
                        outcomeLost.texts(names)));
    }

    /**
     * Goes over all foreign identities with where they count.
     *
     * @return which of them count by sums
     */
    private LeftSums.Sharing forEachForeign(ForeignRow each) {
        LeftSums.Sharing sums = leftSums.sharing();
        for (int row = 0; row < accounts.rows(); row++) {
            if (isUnknown(row)) {
                sums.hear(accounts.id(row).micros());
            }
        }
        for (int row = 0; row < accounts.rows(); row++) {
            if (accounts.isForeign(row)) {
                Optional<LeftSums.Left> left =
                        isUnknown(row) ? sums.tell(accounts.id(row).micros()) : Optional.empty();
                each.see(
                        row,
                        left.map(LeftSums.Left::account).orElse(accounts.accountOf(row)),
                        left);
            }
        }
        return sums;
    }

    private boolean isUnknown(int row) {
        return accounts.isForeign(row) && accounts.accountOf(row) == Account.UNACCOUNTED;
    }

    private interface ForeignRow {
        /**
         * @param left the sum by which it counts, if nothing else is known
         */
        void see(int row, Account account, Optional<LeftSums.Left> left);
    }

    /** The events of all samples. */
    private Set<EventId> sampled() {
        Set<EventId> sampled = new HashSet<>(duplicateSample.ids());
        sampled.addAll(inventedSample.ids());
        IdentitySample unaccounted = new IdentitySample();
        IdentitySample outcomeLost = new IdentitySample();
        forEachForeign(
                (row, account, left) -> {
                    if (account == Account.UNACCOUNTED) {
                        unaccounted.add(accounts.id(row));
                    } else if (account == Account.OUTCOME_LOST) {
                        outcomeLost.add(accounts.id(row));
                    }
                });
        sampled.addAll(unaccounted.ids());
        sampled.addAll(outcomeLost.ids());
        return sampled;
    }

    /**
     * Writes {@link #books()} and, for an independent auditor, the identities that count as
     * waiting, dead-lettered, skipped and lost. Call it once.
     *
     * @param directory made if need be; a report that stands there is replaced
     */
    public void writeReport(FileStore files, String directory) throws IOException {
        new ReportWriter(files, directory, accounts, badRecords).write(datacenters, books());
    }

    private void readDatacenter(int number, ForeignReading foreign) throws IOException {
        DatacenterRecords datacenter = datacenters.get(number);
        long joined = 0;
        leftSums.retired(datacenter.name(), datacenter.output().retired().sum());
        for (Incarnation incarnation : datacenter.output().incarnations()) {
            for (StoredManifest stored : manifests(datacenter, incarnation)) {
                Manifest manifest = read(datacenter, incarnation, stored);
                if (manifest != null) {
                    joined += readManifest(number, datacenter, manifest);
                }
            }
        }
        Set<String> lost = datacenter.output().lostPaths();
        for (String stranger : strangers(datacenter)) {
            alarm(
                    lost.contains(stranger)
                            ? "%s: the file %s was declared lost, but is there: its events were joined again, so take it away (photon repair declare-file-lost does)"
                                    .formatted(datacenter.name(), stranger)
                            : "%s: no manifest knows the file %s"
                                    .formatted(datacenter.name(), stranger));
        }
        long[] rows = new long[1];
        datacenter.forEachRow(
                row -> {
                    if (row.isOfEvent()) {
                        rows[0]++;
                        accounts.waiting(row.key().id(), row.reason());
                    }
                });
        datacenter.forEachLedgerEntry(this::readLedgerEntry);
        for (EndedEntries ended : datacenter.endedEntries()) {
            leftSums.ended(datacenter.name(), ended);
        }
        Optional<Checkpoint> checkpoint = datacenter.checkpoint();
        if (checkpoint.isPresent()) {
            foreign.readBeyond(checkpoint.get(), accounts);
        }
        byDatacenter.put(datacenter.name(), new Books.Datacenter(joined, rows[0]));
    }

    /** Manifests that cannot be read must not keep the rest of the books from being read. */
    private List<StoredManifest> manifests(DatacenterRecords datacenter, Incarnation incarnation) {
        try {
            return datacenter.output().manifests(incarnation);
        } catch (IOException e) {
            unreadable(datacenter, incarnation, e);
            return List.of();
        }
    }

    private @Nullable Manifest read(
            DatacenterRecords datacenter, Incarnation incarnation, StoredManifest stored) {
        try {
            return stored.read();
        } catch (IOException e) {
            unreadable(datacenter, incarnation, e);
            return null;
        }
    }

    private void unreadable(
            DatacenterRecords datacenter, Incarnation incarnation, IOException why) {
        alarm(
                "%s: the manifests of incarnation %s cannot be read: %s"
                        .formatted(datacenter.name(), incarnation, why.getMessage()));
    }

    private List<String> strangers(DatacenterRecords datacenter) {
        try {
            return datacenter.output().strangers();
        } catch (IOException e) {
            alarm(
                    "%s: files that no manifest knows cannot be told: %s"
                            .formatted(datacenter.name(), e.getMessage()));
            return List.of();
        }
    }

    /**
     * @return how many foreign identities this datacenter was not yet known to have joined
     */
    private long readManifest(int number, DatacenterRecords datacenter, Manifest manifest)
            throws IOException {
        Optional<String> wrong = datacenter.output().verify(manifest, keptSinceMicros);
        if (wrong.isPresent()) {
            // Its events count as joined only where a reader can find them.
            alarm(
                    "%s: manifest %s of incarnation %s: %s"
                            .formatted(
                                    datacenter.name(),
                                    manifest.sequence(),
                                    manifest.incarnation(),
                                    wrong.get()));
            return 0;
        }
        long firstHere = 0;
        for (Manifest.Entry entry : manifest.entries()) {
            Accounts.Joined joined = accounts.joined(entry.id(), entry.joinedEvents(), number);
            if (joined.twice() > 0) {
                duplicates += joined.twice() - 1L;
                duplicate(entry.id());
            }
            if (entry.id().isUpgrade()) {
                upgrades.published(entry.id());
            } else if (!joined.known() && joined.first()) {
                invented(entry.id());
            }
            if (entry.token().isUnmatched()) {
                accounts.joinedUnmatched(entry.id());
            }
            if (joined.known() && joined.firstHere()) {
                firstHere++;
            }
        }
        return firstHere;
    }

    private void duplicate(EventId id) {
        duplicates++;
        duplicateSample.add(id);
    }

    private void invented(EventId id) {
        invented++;
        inventedSample.add(id);
    }

    private static long count(Map<Account, Long> counts, Account account) {
        return counts.getOrDefault(account, 0L);
    }

    private void readLedgerEntry(LedgerEntry entry) {
        EventId id = entry.id();
        if (id == null) {
            badRecords.add(entry.file(), entry.offset(), entry.reason());
            return;
        }
        switch (entry.kind()) {
            case BAD_RECORD -> badRecords.add(entry.file(), entry.offset(), entry.reason());
            case DEAD_LETTER -> accounts.deadLettered(id);
            case SKIPPED -> accounts.skipped(id, entry.reason());
            case OUTCOME_LOST -> accounts.outcomeLost(id);
        }
    }

    private void alarm(String text) {
        if (alarms.size() < ALARMS_MAX) {
            alarms.add(text);
        } else {
            alarmsLeftOut++;
        }
    }

    private List<String> allAlarms() {
        List<String> all = new ArrayList<>(alarms);
        if (alarmsLeftOut > 0) {
            all.add("%s further alarms".formatted(alarmsLeftOut));
        }
        if (invented > 0) {
            all.add(
                    "%s published identities are not in the foreign logs, such as %s"
                            .formatted(invented, inventedSample.texts(names).get(0)));
        }
        return all;
    }
}
