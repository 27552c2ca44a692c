package photon.server.local;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;
import photon.core.config.DurationText;
import photon.core.config.FormatConfig;
import photon.core.config.PipelineConfig;
import photon.core.config.StreamConfig;
import photon.core.text.PlainText;
import photon.dispatcher.rules.RetryPolicy;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.StreamFiles;
import photon.storage.tail.Unterminated;
import photon.verifier.books.Books;
import photon.verifier.books.ReportWriter;

/**
 * What a run has come to, for the one who started it: the books, what this run alone has done, and
 * what is wrong with the input if nothing can come of it.
 *
 * @param primary what the event stores hold of the primary logs
 * @param input what there is to read
 * @param retention of the configuration
 */
record RunReport(
        LocalBooks books, ThisRun run, Primary primary, Input input, Optional<Duration> retention) {
    /**
     * Of this run alone.
     *
     * @param read foreign events, once, though every datacenter reads them
     * @param joined by all datacenters together
     */
    record ThisRun(long read, long joined) {}

    /**
     * What matches the globs now.
     *
     * @param primaryEnds primary logs that end in the middle of a record
     */
    record Input(long primaryBytes, long foreignBytes, List<String> primaryEnds) {
        private static Input of(PipelineConfig config, FileStore files) throws IOException {
            Collection<FileInfo> primary = StreamFiles.now(files, config.primary());
            return new Input(
                    bytes(primary),
                    bytes(StreamFiles.now(files, config.foreign())),
                    ends(config.primary(), primary, files));
        }

        /** Of foreign logs the books tell. */
        private static List<String> ends(
                StreamConfig stream, Collection<FileInfo> there, FileStore files) {
            List<String> ends = new ArrayList<>();
            boolean lines =
                    stream.format() instanceof FormatConfig.Csv
                            || stream.format() instanceof FormatConfig.JsonLines;
            for (FileInfo file : there) {
                if (lines && file.length() > 0 && endsWithinALine(files, file)) {
                    ends.add(file.path());
                }
            }
            return ends;
        }

        private static boolean endsWithinALine(FileStore files, FileInfo file) {
            try {
                return Unterminated.isAtTheEndOf(files, file);
            } catch (IOException e) {
                return false; // It has gone since, or the event stores have told of it.
            }
        }

        private static long bytes(Collection<FileInfo> there) {
            return there.stream().mapToLong(FileInfo::length).sum();
        }
    }

    /** Of all runs. */
    record Primary(long events, long bad) {}

    /**
     * Of a run whose datacenters are closed.
     *
     * @param ends what each said then
     */
    static RunReport of(
            LocalBooks books,
            List<LocalDatacenter.Status> ends,
            PipelineConfig config,
            FileStore files)
            throws IOException {
        return new RunReport(
                books,
                new ThisRun(
                        most(ends, end -> end.dispatcher().eventsRead()),
                        ends.stream().mapToLong(end -> end.joiner().joined()).sum()),
                new Primary(
                        most(ends, end -> end.eventStore().primaryEvents()),
                        most(ends, end -> end.eventStore().badRecords())),
                Input.of(config, files),
                config.retention());
    }

    /** Every datacenter reads all input; one that began later has yet to read some of it. */
    private static long most(
            List<LocalDatacenter.Status> ends, ToLongFunction<LocalDatacenter.Status> count) {
        return ends.stream().mapToLong(count).max().orElse(0);
    }

    /**
     * @return exit status
     */
    int print(PrintStream out, PrintStream err, boolean json) {
        if (json) {
            out.println(toJson());
        } else {
            books.print(out);
            out.printf(
                    Locale.ROOT,
                    "this run: %s read, %,d joined; ",
                    run.read() == 0
                            ? "0 new foreign events"
                            : "%,d foreign events".formatted(run.read()),
                    run.joined());
            books.printCosts(out);
        }
        out.flush();
        badRecords().forEach(line -> err.println("photon: " + PlainText.lines(line)));
        notes().forEach(line -> err.println("photon: " + PlainText.lines(line)));
        List<String> nothing = nothingCanBeJoined();
        nothing.forEach(line -> err.println("photon: " + line));
        return books.balanced() && nothing.isEmpty() ? 0 : 1;
    }

    private ObjectNode toJson() {
        ObjectNode json = books.toJson();
        json.putObject("thisRun").put("foreignEvents", run.read()).put("joined", run.joined());
        json.put("report", books.report().toString());
        return json;
    }

    private List<String> badRecords() {
        Books.Bad bad = books.books().bad();
        List<String> lines = new ArrayList<>();
        for (Books.BadRecord record : bad.first()) {
            lines.add(
                    lines.isEmpty()
                            ? "%,d bad record%s: %s"
                                    .formatted(
                                            bad.records(),
                                            bad.records() == 1 ? "" : "s, the first",
                                            text(record))
                            : "another reason: " + text(record));
        }
        if (!lines.isEmpty()) {
            int last = lines.size() - 1;
            lines.set(
                    last,
                    lines.get(last) + "; all are listed in " + list(ReportWriter.DEAD_LETTERS));
        }
        return lines;
    }

    private static String text(Books.BadRecord record) {
        return record.offset() < 0
                ? "%s: %s".formatted(record.file(), record.reason())
                : "%s at byte %d: %s".formatted(record.file(), record.offset(), record.reason());
    }

    /** What is no failure, since logs may come, and yet is rarely meant. */
    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        Books all = books.books();
        if (input.primaryBytes() > 0 && primary.events() == 0 && primary.bad() == 0) {
            notes.add(noEvent("primary"));
        }
        if (input.foreignBytes() > 0 && all.foreignEvents() == 0 && all.bad().foreign() == 0) {
            notes.add(noEvent("foreign"));
        }
        inTheMiddle("primary", input.primaryEnds()).ifPresent(notes::add);
        inTheMiddle("foreign", all.unterminated()).ifPresent(notes::add);
        long unmet =
                WaitingFor.of(all.waitingByReason()).getOrDefault(WaitingFor.PRIMARY_EVENT, 0L);
        if (unmet > 0 && unmet == all.foreignEvents() && primary.events() > 0) {
            notes.add(
                    "none of %,d foreign events matches any of %,d primary events: run 'photon config test' to find the reason"
                            .formatted(unmet, primary.events()));
        }
        return notes;
    }

    /** It is in no row of the books. */
    private static Optional<String> inTheMiddle(String stream, List<String> ends) {
        int others = ends.size() - 1;
        return ends.stream()
                .findFirst()
                .map(
                        first ->
                                "a %s log ends in the middle of a record, which is not read: %s%s. If the record is whole, append a line feed"
                                        .formatted(
                                                stream,
                                                first,
                                                others == 0
                                                        ? ""
                                                        : ", and %,d more".formatted(others)));
    }

    private static String noEvent(String stream) {
        return "the %s logs hold no event of that stream: run 'photon config test' to see what where and whereNot leave out"
                .formatted(stream);
    }

    /** Empty: something was, or may yet be. */
    private List<String> nothingCanBeJoined() {
        List<String> lines = new ArrayList<>();
        Books all = books.books();
        if (primary.events() == 0 && primary.bad() > 0) {
            lines.add(everyRecordIsBad("primary"));
        }
        if (all.foreignEvents() == 0) {
            if (all.bad().foreign() > 0) {
                lines.add(everyRecordIsBad("foreign"));
            }
            return lines;
        }
        long old = all.skipped().getOrDefault(RetryPolicy.TOO_OLD, 0L);
        long ahead = all.waitingByReason().getOrDefault(RetryPolicy.AHEAD, 0L);
        if (old == all.foreignEvents()) {
            lines.add(
                    "all %,d foreign events are older than the retention%s, and Photon joined none. Write a longer retention, or retention: unlimited; %s lists the events"
                            .formatted(
                                    old,
                                    retention.map(kept -> ", " + DurationText.of(kept)).orElse(""),
                                    list(ReportWriter.SKIPPED)));
        } else if (ahead == all.foreignEvents()) {
            lines.add(
                    "all %,d foreign events are ahead of the clock, and Photon joins none before its time has come. Check foreign.timestamp; %s lists the events"
                            .formatted(ahead, list(ReportWriter.WAITING)));
        } else if (old + ahead == all.foreignEvents()) {
            lines.add(
                    "every foreign event is older than the retention (%,d) or ahead of the clock (%,d), and Photon joined none. Check retention and foreign.timestamp; %s lists the events"
                            .formatted(old, ahead, books.report()));
        }
        return lines;
    }

    private String everyRecordIsBad(String stream) {
        return "every record of the %s logs is bad, so Photon can join nothing. Run 'photon config test' for a fix; %s lists the records"
                .formatted(stream, list(ReportWriter.DEAD_LETTERS));
    }

    private String list(String name) {
        return books.report().resolve(name).toString();
    }
}
