package photon.simulation.checks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import photon.core.id.EventId;
import photon.core.id.Incarnation;

/**
 * All checkers of one world. Each method says what is violated, nothing if all holds; a world stops
 * at the first. Not thread-safe.
 */
public final class Checkers {
    private final List<DatacenterFiles> datacenters;
    private final OutputChecker output;
    private final NothingForgotten nothingForgotten;
    private final EventuallyJoined eventuallyJoined;
    private final AnsweredIsDurable answeredIsDurable;
    private final GoneLogs goneLogs;
    private final TooOldAnswers tooOldAnswers;
    private final SealedMarks sealedMarks;
    private final RowsInRegisteredStates rowsInRegisteredStates;
    private final Retired retired;
    private final Bounds bounds = new Bounds();

    /**
     * @param unmatched when events may be joined without a primary event; empty: never
     */
    public Checkers(
            GroundTruth truth,
            List<DatacenterFiles> datacenters,
            RegistryTruth registry,
            Optional<UnmatchedInTime> unmatched) {
        this.datacenters = List.copyOf(datacenters);
        this.output = new OutputChecker(truth, datacenters, unmatched);
        this.nothingForgotten = new NothingForgotten(datacenters, output, registry);
        this.answeredIsDurable = new AnsweredIsDurable(truth, registry);
        this.tooOldAnswers = new TooOldAnswers(registry);
        this.sealedMarks = new SealedMarks(datacenters, registry);
        this.rowsInRegisteredStates = new RowsInRegisteredStates(registry);
        this.retired = new Retired(datacenters, output, registry);
        this.goneLogs = new GoneLogs(datacenters);
        this.eventuallyJoined = new EventuallyJoined(truth, datacenters, output, registry);
    }

    /** The datacenter's dispatcher has lost its state: it reads its logs again from the start. */
    public void readsAgain(String datacenter) {
        nothingForgotten.readsAgain(datacenter);
    }

    /** The datacenter is retired: it takes part no more, for good. */
    public void retired(String datacenter) {
        nothingForgotten.retired(datacenter);
        eventuallyJoined.retired(datacenter);
    }

    /** The world has taken a published file away for good. */
    public void fileLost(String datacenter, String path) {
        output.fileLost(named(datacenter), path);
    }

    /** Where the world names what is bounded. */
    public Bounds bounds() {
        return bounds;
    }

    /** After a name was given in the datacenter's output directory: I1. */
    public List<InvariantViolation> onPublish(String datacenter) {
        return reading(() -> output.checkNew(named(datacenter)));
    }

    /** Before a power cut. */
    public List<InvariantViolation> beforePowerLoss(String datacenter) {
        return reading(
                () -> {
                    List<InvariantViolation> found =
                            new ArrayList<>(output.checkNew(named(datacenter)));
                    output.noteDurable(named(datacenter));
                    return found;
                });
    }

    /** After the power cut took what was not synced: I1, I3, and marks of what was sealed. */
    public List<InvariantViolation> onPowerLoss(String datacenter) {
        return reading(
                () -> {
                    List<InvariantViolation> found =
                            new ArrayList<>(output.checkAfterPowerLoss(named(datacenter)));
                    found.addAll(sealedMarks.check());
                    found.addAll(nothingForgotten.check());
                    return found;
                });
    }

    /** After a process was killed: I3. */
    public List<InvariantViolation> onKill() {
        return reading(nothingForgotten::check);
    }

    /** A joiner's incarnation is about to answer JOINED for these events: I3. */
    public List<InvariantViolation> onAnswered(
            String datacenter, List<Incarnation> by, List<EventId> ids) {
        return reading(() -> answeredIsDurable.check(named(datacenter), by, ids));
    }

    /** An incarnation is about to answer that these are too old, by the registry's word. */
    public void onTooOld(List<Incarnation> by, List<EventId> ids) {
        tooOldAnswers.note(by, ids);
    }

    /** I1 everywhere, and I3. */
    public List<InvariantViolation> everyMinute() {
        return reading(
                () -> {
                    List<InvariantViolation> found = new ArrayList<>();
                    for (DatacenterFiles datacenter : datacenters) {
                        found.addAll(output.check(datacenter));
                    }
                    found.addAll(nothingForgotten.check());
                    found.addAll(rowsInRegisteredStates.check());
                    found.addAll(retired.check());
                    return found;
                });
    }

    /** Often: I6. */
    public List<InvariantViolation> everyTick() {
        return bounds.check();
    }

    /** Cheap: false while {@link #quiet} would surely find something. For the quiet phase. */
    public boolean mayBeDone() {
        return eventuallyJoined.mayBeDone(Set.of())
                || reading(() -> mayBeDone(goneLogs.outcomesLost())).isEmpty();
    }

    private List<InvariantViolation> mayBeDone(Set<EventId> outcomesLost) {
        return !outcomesLost.isEmpty() && eventuallyJoined.mayBeDone(outcomesLost)
                ? List.of()
                : List.of(InvariantViolation.of("I2", List.of(), "there is more to do"));
    }

    /** At the end of the quiet phase: everything. */
    public List<InvariantViolation> quiet() {
        List<InvariantViolation> found = new ArrayList<>(everyMinute());
        found.addAll(tooOldAnswers.check());
        found.addAll(reading(output::checkAllStand));
        found.addAll(reading(() -> eventuallyJoined.check(goneLogs.outcomesLost())));
        found.addAll(everyTick());
        return found;
    }

    /** In any datacenter. */
    public boolean isPublished(EventId id) {
        return output.isPublished(id);
    }

    /** What it has seen, by name: sums over worlds have them. */
    public Map<String, Long> totals() {
        return Map.of(
                "joined", (long) published(),
                "upgraded", output.upgrades(),
                "inSeveralOutputs", (long) inSeveralOutputs(),
                "retired", retired.count(),
                // taken away from one datacenter's ledgers
                "endedEntries", nothingForgotten.endedEntries());
    }

    /** How many foreign events stand joined in published files. */
    public int published() {
        return output.publishedCount();
    }

    /** How many of them in more than one output. */
    public int inSeveralOutputs() {
        return output.inSeveralOutputs();
    }

    private DatacenterFiles named(String name) {
        Optional<DatacenterFiles> found =
                datacenters.stream().filter(d -> d.name().equals(name)).findFirst();
        return found.orElseThrow(() -> new IllegalArgumentException("No datacenter " + name));
    }

    private interface Check {
        List<InvariantViolation> run() throws IOException;
    }

    /** What cannot be read is a violation too: no fault of the world leaves that behind. */
    private static List<InvariantViolation> reading(Check check) {
        try {
            return check.run();
        } catch (IOException e) {
            return List.of(new InvariantViolation("FILES", "Cannot be read: " + e, List.of()));
        }
    }
}
