package photon.server.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import photon.core.config.DeploymentConfig;
import photon.core.config.PipelineConfig;
import photon.core.text.PlainText;
import photon.core.time.IntervalClock;
import photon.dispatcher.state.StateDirectory;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.files.FileStore;
import photon.storage.output.OutputDirectory;
import photon.verifier.books.Bookkeeper;
import photon.verifier.books.Books;
import photon.verifier.books.DatacenterRecords;
import photon.verifier.books.ReportWriter;
import photon.verifier.repair.RepairTally;
import photon.verifier.source.ForeignLogs;

/** What a run has come to: the books, read back from files, and what the run has cost. */
public final class LocalBooks {
    private final Books books;
    private final long repaired;
    private final Costs costs;
    private final List<String> repairAlarms;
    private final Path report;

    /**
     * @param repairAlarms of repairs that need a person: what they would have brought back may be
     *     in no book
     * @param report directory of the lists that are too long to print
     */
    LocalBooks(Books books, long repaired, Costs costs, List<String> repairAlarms, Path report) {
        this.books = books;
        this.repaired = repaired;
        this.costs = costs;
        this.repairAlarms = List.copyOf(repairAlarms);
        this.report = report;
    }

    /**
     * @param unmatched events joined in this run without their primary event
     * @param latePrimaries primary events that came in this run after their event had been joined
     *     without
     * @param wastedAttempts that lost against another attempt
     * @param rpcs unary requests and stream messages between the parts
     * @param eventsRead foreign events read in this run, by one datacenter
     */
    public record Costs(
            long unmatched,
            long latePrimaries,
            long wastedAttempts,
            double idsPerRaftEntry,
            long rpcs,
            long eventsRead,
            double seconds) {
        double rpcsPerEvent() {
            return (double) rpcs / Math.max(1, eventsRead);
        }
    }

    /** Reads the books and leaves the report beside the state. Nothing may be at work there. */
    public static LocalBooks read(
            PipelineConfig config,
            FileStore files,
            IntervalClock clock,
            List<DatacenterPaths> paths,
            List<OutputDirectory> outputs,
            Path state,
            Costs costs,
            List<String> repairAlarms)
            throws IOException {
        return read(config, files, clock, paths, outputs, List.of(), state, costs, repairAlarms);
    }

    /**
     * The same where datacenters were retired.
     *
     * @param retired what these have left
     */
    static LocalBooks read(
            PipelineConfig config,
            FileStore files,
            IntervalClock clock,
            List<DatacenterPaths> paths,
            List<OutputDirectory> outputs,
            List<DatacenterRecords> retired,
            Path state,
            Costs costs,
            List<String> repairAlarms)
            throws IOException {
        List<DatacenterRecords> records = new ArrayList<>(retired);
        long repaired = 0;
        for (int i = 0; i < paths.size(); i++) {
            DatacenterPaths own = paths.get(i);
            records.add(stored(own, files, outputs.get(i)));
            repaired += new RepairTally(files, own.verifier()).total();
        }
        Bookkeeper keeper =
                Bookkeeper.read(
                        records,
                        ForeignLogs.of(files, config.foreign(), clock),
                        System::nanoTime,
                        config.keptSinceMicros(clock.now().earliestMicros()));
        Path report = state.resolve("report");
        keeper.writeReport(files, report.toString());
        return new LocalBooks(keeper.books(), repaired, costs, repairAlarms, report);
    }

    /** What one datacenter has left in files. */
    static DatacenterRecords.Stored stored(
            DatacenterPaths own, FileStore files, OutputDirectory output) throws IOException {
        List<StateDirectory> dispatcher = own.dispatcherState(files);
        List<String> ledgers =
                new ArrayList<>(dispatcher.stream().map(StateDirectory::ledger).toList());
        ledgers.add(own.eventStoreLedger(DeploymentConfig.EVENT_STORE_DEFAULT));
        ledgers.add(own.verifierLedger());
        return new DatacenterRecords.Stored(
                own.datacenter(),
                files,
                output,
                dispatcher.stream().map(StateDirectory::journal).toList(),
                ledgers,
                dispatcher.stream().map(StateDirectory::checkpoint).toList());
    }

    /** True if nothing is doubled, lost or unaccounted for, and no repair needs a person. */
    public boolean balanced() {
        return books.balanced() && repairAlarms.isEmpty();
    }

    Books books() {
        return books;
    }

    /** Directory of the lists that are too long to print. */
    Path report() {
        return report;
    }

    void print(PrintStream out) {
        row(out, "foreign events", books.foreignEvents());
        row(out, "  joined", books.joined());
        books.byDatacenter().forEach((name, part) -> row(out, "    by " + name, part.joined()));
        if (books.upgraded() > 0) {
            row(out, "    upgraded since", books.upgraded());
        }
        row(out, "  waiting", books.waiting());
        WaitingFor.of(books.waitingByReason())
                .forEach((reason, count) -> row(out, "    " + reason, count));
        row(out, "  dead-lettered", books.deadLettered());
        for (Map.Entry<String, Long> reason : books.skipped().entrySet()) {
            row(out, "  skipped: " + reason.getKey(), reason.getValue());
        }
        row(out, "  unread", books.unread());
        row(out, "  outcome lost", books.outcomeLost());
        row(out, "  unaccounted for", books.unaccounted());
        row(out, "duplicates", books.duplicates());
        row(out, "bad records", books.badRecords());
        row(out, "conflicting repeats", books.conflictingRepeats());
        row(out, "repaired", repaired);
        books.alarms().forEach(alarm -> out.println("ALARM: " + PlainText.line(alarm)));
        repairAlarms.forEach(alarm -> out.println("ALARM: " + PlainText.line(alarm)));
        samples(out, "joined more than once", books.samples().duplicates());
        samples(out, "published, and in no foreign log", books.samples().invented());
        samples(out, "unaccounted for", books.samples().unaccounted());
        samples(out, "outcome lost", books.samples().outcomeLost());
    }

    /** Of a run that has ended, below its books. */
    void printCosts(PrintStream out) {
        if (costs.unmatched() > 0) {
            out.printf(
                    Locale.ROOT,
                    "%,d events were joined in this run without their primary event, which had not"
                            + " come within unmatched.after%n",
                    costs.unmatched());
        }
        if (costs.latePrimaries() > 0) {
            out.printf(
                    Locale.ROOT,
                    "%,d primary events came in this run after their event had been joined"
                            + " without%n",
                    costs.latePrimaries());
        }
        out.printf(
                Locale.ROOT,
                "%.1f s; %.0f ids per Raft entry, %.3f messages per event, %d wasted attempts%n",
                costs.seconds(),
                costs.idsPerRaftEntry(),
                costs.rpcsPerEvent(),
                costs.wastedAttempts());
    }

    private static void samples(PrintStream out, String what, List<String> ids) {
        if (!ids.isEmpty()) {
            String some = PlainText.line(String.join(", ", ids));
            out.println("Wrong: %s, such as %s".formatted(what, some));
        }
    }

    private static void row(PrintStream out, String name, long count) {
        out.printf(Locale.ROOT, "%-36s %,12d%n", name, count);
    }

    /** As printed. */
    public ObjectNode toJson() {
        ObjectNode json = ReportWriter.toJson(books);
        repairAlarms.forEach(json.withArray("/alarms")::add);
        json.put("repaired", repaired);
        json.put("unmatched", costs.unmatched());
        json.put("latePrimaries", costs.latePrimaries());
        json.put("wastedAttempts", costs.wastedAttempts());
        json.put("idsPerRaftEntry", rounded(costs.idsPerRaftEntry()));
        json.put("rpcsPerEvent", rounded(costs.rpcsPerEvent()));
        json.put("seconds", rounded(costs.seconds()));
        return json;
    }

    private static double rounded(double value) {
        return Math.round(value * 10_000) / 10_000.0;
    }
}
