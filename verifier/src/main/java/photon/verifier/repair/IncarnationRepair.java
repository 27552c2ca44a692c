package photon.verifier.repair;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.crash.CrashPoint;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.ControlClient.Repair;
import photon.storage.output.OutputDirectory.StoredManifest;
import photon.storage.output.PublishedWalk;
import photon.verifier.steps.Steps;

/**
 * One attempt at the repair of one incarnation that is open and not live (docs/protocol.md section
 * 6), from nothing: fence, seal, compare its manifests with its published files, scan what its
 * tokens hold, hand the lost events over, and only then tell the registry that it is repaired. The
 * order is the protection, so each step can only be reached from the one before:
 *
 * <ul>
 *   <li>The scan takes groups that have the fence applied: nothing is accepted behind it.
 *   <li>"Lost" is judged by manifests that were read after SEALED stood: nothing is published
 *       behind them. A published file that is not as its manifest says, or that no manifest knows,
 *       ends the repair, since its events are not lost for that.
 *   <li>An id is never removed here: the row's processing does that, when the row is durable.
 * </ul>
 *
 * <p>No step is remembered, and each can be repeated: a crash anywhere starts over, and two that
 * repair at once do the same twice. Memory is bounded: lost ids are gone through in chunks, and
 * what the manifests name is sorted in scratch files ({@link PublishedIds}).
 */
final class IncarnationRepair {
    private static final Logger log = LoggerFactory.getLogger(IncarnationRepair.class);

    static final String NOT_IN_LOGS = "lost by a crash, not in the foreign logs";
    static final String TOO_OLD =
            "lost by a crash, its repair row was in a lost state, too old to find out";

    static final String FILE_LOST_TOO_OLD =
            "its published file was declared lost, too old to be joined again";

    private final RepairParts parts;
    private final IncarnationInfo info;
    private final Incarnation incarnation;
    private final Consumer<RepairResult> done;
    private final Steps steps;
    private final PublishedIds published;
    private final Reinjection reinjection;
    private final LostEvents lost = new LostEvents();
    private final NoLongerHeld noLongerHeld = new NoLongerHeld();

    /** What earlier attempts at this repair had found lost. */
    private Map<EventId, CommitToken> foundBefore = Map.of();

    private List<StoredManifest> lostFiles = List.of();
    private long outcomesLost;

    /** Of the registry that has fenced. */
    private int life;

    /**
     * @param places of the repairs that wait
     * @param waits told each time that nothing is left to do but to look again later
     * @param done told once, in the loop; not after {@link #close}
     */
    IncarnationRepair(
            RepairParts parts,
            IncarnationInfo info,
            LookPlaces places,
            Consumer<WaitingRepair> waits,
            Consumer<RepairResult> done) {
        this.parts = parts;
        this.info = info;
        this.incarnation = info.incarnation();
        this.done = done;
        this.steps = new Steps(parts.loop(), reason -> end(new RepairResult.Failed(reason)));
        this.published = new PublishedIds(incarnation, parts.scratch().of(incarnation));
        this.reinjection = new Reinjection(parts, info, steps, places, w -> waits.accept(told(w)));
    }

    void start() {
        steps.next(this::fence);
    }

    /** Whether the incarnation was reopened since this repair began: then it comes to nothing. */
    boolean isOutdated(IncarnationInfo now) {
        return now.rows().timesReopened() != info.rows().timesReopened();
    }

    /** Gives up. Safe to call twice. */
    void close() {
        steps.end();
        reinjection.close();
        published.close();
    }

    private void fence() throws IOException {
        String outputId = parts.output().outputId();
        if (!info.outputId().equals(outputId)) {
            stop(
                    "Incarnation %s of %s wrote into output directory %s, but this one is %s:"
                                    .formatted(
                                            incarnation, info.slotName(), info.outputId(), outputId)
                            + " its joined events would all look lost");
            return;
        }
        if (parts.output().retired().contains(incarnation)) {
            steps.await(parts.control().fence(parts.pipeline(), incarnation), this::settleAgain);
            return;
        }
        steps.await(parts.control().fence(parts.pipeline(), incarnation), this::seal);
    }

    /**
     * Its manifests are gone, so nothing can be told of what it holds; and nothing need be, since a
     * boundary has passed all of it.
     */
    private void settleAgain(List<Fenced> groups) throws IOException {
        life = groups.get(0).life();
        steps.next(this::markRepaired);
    }

    private void seal(List<Fenced> groups) throws IOException {
        parts.output().seal(incarnation);
        parts.crashPoints().passed(CrashPoint.REPAIRING);
        lostFiles = parts.output().lostManifests(incarnation);
        Iterator<StoredManifest> manifests = parts.output().manifests(incarnation).iterator();
        steps.next(() -> compare(manifests, groups));
    }

    /** One manifest a step: it may be large. */
    private void compare(Iterator<StoredManifest> manifests, List<Fenced> groups)
            throws IOException {
        if (published.crowded()) {
            published.compact(parts.limits().comparedAtOnce());
            steps.next(() -> compare(manifests, groups));
            return;
        }
        if (!manifests.hasNext()) {
            // Read after them: the directory in which they stand is still there, and the sealed
            // one.
            if (!parts.output().isSealed(incarnation)) {
                throw new IOException("Expected incarnation " + incarnation + " to be sealed");
            }
            PublishedWalk walk = parts.output().unknown(incarnation, published.files());
            steps.next(() -> lookForUnknown(walk, groups));
            return;
        }
        long keptSince = parts.terms().keptSinceMicros(parts.clock().now().earliestMicros());
        Optional<String> wrong = published.add(manifests.next(), parts.output(), keptSince);
        if (wrong.isPresent()) {
            stop(wrong.get());
            return;
        }
        steps.next(() -> compare(manifests, groups));
    }

    /** One folder a step: there may be thousands, and files by the million. */
    private void lookForUnknown(PublishedWalk walk, List<Fenced> groups) throws IOException {
        if (!walk.hasNext()) {
            scan(groups);
            return;
        }
        List<String> unknown = walk.next();
        if (!unknown.isEmpty()) {
            stop(unknown(unknown.get(0)));
            return;
        }
        steps.next(() -> lookForUnknown(walk, groups));
    }

    private String unknown(String path) throws IOException {
        return parts.output().lostPaths().contains(path)
                ? "%s of incarnation %s was declared lost, but is there: to join its events again would double them. Declare it lost once more, which takes its name away"
                        .formatted(path, incarnation)
                : "%s is a published file of incarnation %s, but no manifest knows it: its joined events would all look lost"
                        .formatted(path, incarnation);
    }

    private void scan(List<Fenced> groups) throws IOException {
        life = groups.get(0).life();
        foundBefore = parts.records().read(incarnation);
        LostSearch search =
                new LostSearch(
                        parts,
                        incarnation,
                        steps,
                        new HeldScan(incarnation, groups, parts.limits().scanPage()),
                        published.compare(),
                        lost,
                        foundBefore.isEmpty() && lostFiles.isEmpty()
                                ? Optional.empty()
                                : Optional.of(noLongerHeld),
                        this::stop);
        search.on(() -> found(search, this::searchRemoved));
    }

    /** What the rows of an earlier attempt have removed, and nobody has joined. */
    private void searchRemoved() {
        RemovedSearch search =
                new RemovedSearch(
                        parts, steps, noLongerHeld.removed(foundBefore), noLongerHeld, lost);
        search.on(() -> found(search, this::markRepaired));
    }

    private void found(LostIds search, Steps.Step then) throws IOException {
        if (search.done()) {
            published.close(); // to look for what is lost may take hours
        }
        if (lost.isEmpty()) {
            steps.next(then);
            return;
        }
        parts.records().add(incarnation, lost.tokens());
        reinjection.start(lost, () -> writeOff(search, then));
    }

    /** What is left of this chunk is given up ({@link WriteOffRule}): what is held stays held. */
    private void writeOff(LostIds search, Steps.Step then) throws IOException {
        for (Map.Entry<EventId, CommitToken> one : lost.tokens().entrySet()) {
            writeOff(
                    one.getKey(), one.getValue(), reinjection.orderedBecause().orElse(NOT_IN_LOGS));
        }
        // In the same step: another repair's failure would take with it what is not synced.
        parts.lostOutcomes().sync();
        lost.clear();
        if (search.done()) {
            steps.next(then);
        } else {
            search.on(() -> found(search, then));
        }
    }

    private void writeOff(EventId id, CommitToken token, String reason) throws IOException {
        parts.lostOutcomes().record(id, token, reason);
        outcomesLost++;
    }

    private WaitingRepair told(Reinjection.Waits waits) {
        WriteOffRule.Verdict verdict = waits.verdict();
        boolean blocked = !verdict.obstacle().isEmpty();
        return new WaitingRepair(
                incarnation,
                info.slotName(),
                waits.ids(),
                TimeUnit.NANOSECONDS.toSeconds(waits.nanos()),
                blocked ? -1 : verdict.left().toSeconds(),
                verdict.obstacle());
    }

    private boolean rowsWereLost() {
        return info.rows().lostWith().isPresent();
    }

    private void writeOffTooOld(Map<EventId, CommitToken> held, String reason) throws IOException {
        for (Map.Entry<EventId, CommitToken> one : noLongerHeld.tooOld(held).entrySet()) {
            writeOff(one.getKey(), one.getValue(), reason);
        }
        parts.lostOutcomes().sync();
    }

    /** What the boundary has passed, nobody joins again: not silently. */
    private void writeOffLostFiles() throws IOException {
        for (StoredManifest manifest : lostFiles) {
            Map<EventId, CommitToken> held = new LinkedHashMap<>();
            manifest.forEach(held::put);
            writeOffTooOld(held, FILE_LOST_TOO_OLD);
        }
    }

    private void markRepaired() throws IOException {
        if (rowsWereLost()) {
            writeOffTooOld(foundBefore, TOO_OLD);
        }
        writeOffLostFiles();
        steps.await(
                parts.control()
                        .markRepaired(
                                parts.pipeline(),
                                incarnation,
                                new Repair(
                                        life, info.rows().timesReopened(), reinjection.rowsIn())),
                state -> {
                    if (state == IncarnationState.OPEN) {
                        throw new IOException(
                                "Expected the registry that was scanned, and repair rows in the dispatcher's registered state, but the registry was restored from a backup meanwhile, or the rows are in %s, which is not registered, or the incarnation was reopened"
                                        .formatted(
                                                reinjection
                                                        .rowsIn()
                                                        .map(rows -> "state " + rows)
                                                        .orElse("no state")));
                    }
                    parts.orders().drop(incarnation);
                    log.info(
                            "Incarnation {} of {} is {}: {} events published, {} handed over again,"
                                    + " {} outcomes lost",
                            incarnation,
                            info.slotName(),
                            state,
                            published.size(),
                            reinjection.handedOver(),
                            outcomesLost);
                    end(new RepairResult.Repaired(reinjection.handedOver(), outcomesLost));
                });
    }

    private void stop(String alarm) {
        end(new RepairResult.Stopped(alarm));
    }

    private void end(RepairResult result) {
        close();
        done.accept(result);
    }
}
