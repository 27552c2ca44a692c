package photon.demo;

import static photon.core.text.RootLocale.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import photon.demo.DemoFigures.Audit;

/** What a run means, for somebody who sees Photon for the first time. Immutable. */
final class DemoStory {
    private final DemoResult result;
    private final DemoOptions options;

    DemoStory(DemoResult result, DemoOptions options) {
        this.result = result;
        this.options = options;
    }

    /** One line of explanation: what it is about, and what there is to say. */
    record Note(String about, String text) {}

    /** The run in one line. The auditor counts only where it was really run. */
    String verdict() {
        String counts =
                format(
                        "%,d of %,d joined, %,d twice, %,d lost",
                        result.joined(),
                        result.expectedJoined(),
                        result.count("duplicates"),
                        result.lost());
        if (!result.unmet().isEmpty()) {
            return "NOT RIGHT: " + counts;
        }
        return "exactly once: "
                + counts
                + (result.audit() == Audit.AGREES
                        ? ", checked by an independent program (docs/audit)"
                        : "; the independent check was not run");
    }

    boolean isRight() {
        return result.unmet().isEmpty();
    }

    /** What the figures mean. */
    List<Note> meanings() {
        List<Note> notes = new ArrayList<>();
        result.unmet().forEach(reason -> notes.add(new Note("not right", reason)));
        if (result.audit() == Audit.SKIPPED) {
            notes.add(
                    new Note(
                            "not checked",
                            "the auditor was not run, as said above: the load's maker and Photon's books are the only witnesses"));
        }
        notes.add(
                counted(
                        "waiting",
                        "clicks whose query is in no log, which the load has on purpose; each is joined when its query comes"));
        notes.add(
                counted(
                        "wastedAttempts",
                        "wasted attempts",
                        "joins that two attempts prepared: the registry accepted one, the other wrote nothing; a busy machine has many"));
        if (result.count("repaired") > 0) {
            notes.add(
                    counted(
                            "repaired",
                            "events that a killed joiner had claimed and not written; the verifier found them, and they were joined again"));
        }
        if (result.leaderChanges() > 0) {
            notes.add(
                    new Note(
                            format("leader changes %,d", result.leaderChanges()),
                            "replicas of the registry that took over from another; joins wait for that long, and are not lost"));
        }
        return notes;
    }

    /**
     * Where the run's files are.
     *
     * @param kept empty: they are deleted
     */
    List<Note> files(Optional<Path> kept) {
        if (kept.isEmpty()) {
            return List.of(
                    new Note(
                            "files",
                            "logs, joined events and books are deleted; --keep keeps them"));
        }
        String in = kept.get().toString();
        List<Note> notes = new ArrayList<>();
        notes.add(new Note("files", in));
        notes.add(new Note("", "out/*/dt=*/hour=*/*.jsonl: the joined events; logs/: the load"));
        notes.add(new Note("", "state/report/: the books, and what waits; audit.txt: the auditor"));
        if (!options.singleProcess()) {
            notes.add(new Note("", "daemons/*.log: what each process logged"));
        }
        return notes;
    }

    /** What to try now. */
    List<Note> next() {
        List<Note> notes = new ArrayList<>();
        if (!options.killDatacenter()) {
            notes.add(
                    new Note(
                            "next",
                            "photon demo --duration 90s --kill-datacenter --open   a datacenter dies and comes back, as a picture"));
        } else if (!options.killJoiners()) {
            notes.add(
                    new Note(
                            "next",
                            "photon demo --duration 90s --kill-joiners   a process dies every five seconds"));
        }
        notes.add(
                new Note(
                        notes.isEmpty() ? "next" : "",
                        "photon config test --config docs/examples/ads/photon.yaml   how your own logs would be joined"));
        return notes;
    }

    /**
     * All of it as text.
     *
     * @param kept where the files stay; empty: they are deleted
     * @param painted with colours
     */
    List<String> lines(Optional<Path> kept, boolean painted) {
        List<Note> notes = new ArrayList<>(meanings());
        notes.addAll(files(kept));
        if (isRight()) {
            notes.addAll(next());
        }
        int width = notes.stream().mapToInt(note -> note.about().length()).max().orElse(0);
        List<String> lines = new ArrayList<>();
        lines.add(painted ? (isRight() ? Ink.BOLD_GREEN : Ink.RED).paint(verdict()) : verdict());
        notes.forEach(
                note ->
                        lines.add(
                                "  "
                                        + note.about()
                                        + " ".repeat(width - note.about().length())
                                        + "  "
                                        + note.text()));
        return lines;
    }

    private Note counted(String book, String text) {
        return counted(book, book, text);
    }

    private Note counted(String book, String name, String text) {
        return new Note(format("%s %,d", name, result.count(book)), text);
    }
}
