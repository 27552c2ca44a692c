package photon.verifier.repair;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.crash.CrashPoint;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.ControlClient.ScanPage;
import photon.registry.api.RegistryClient.Commit;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory.StoredManifest;

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
 * repair at once do the same twice. Lost ids are gone through in bounded chunks; the manifests' ids
 * are held in memory ({@link PublishedIds}).
 */
final class IncarnationRepair {
    private static final Logger log = LoggerFactory.getLogger(IncarnationRepair.class);

    static final String NOT_IN_LOGS = "lost by a crash, not in the foreign logs";

    private final RepairParts parts;
    private final IncarnationInfo info;
    private final Incarnation incarnation;
    private final Consumer<RepairResult> done;
    private final Steps steps;
    private final PublishedIds published;
    private final Reinjection reinjection;
    private final LostEvents lost = new LostEvents();
    private long outcomesLost;

    /** Of the registry that has fenced. */
    private int life;

    /**
     * @param done told once, in the loop; not after {@link #close}
     */
    IncarnationRepair(RepairParts parts, IncarnationInfo info, Consumer<RepairResult> done) {
        this.parts = parts;
        this.info = info;
        this.incarnation = info.incarnation();
        this.done = done;
        this.steps = new Steps(parts.loop(), reason -> end(new RepairResult.Failed(reason)));
        this.published = new PublishedIds(incarnation);
        this.reinjection = new Reinjection(parts, incarnation, steps);
    }

    void start() {
        steps.next(this::fence);
    }

    /** Gives up. Safe to call twice. */
    void close() {
        steps.end();
        reinjection.close();
    }

    private void fence() {
        String outputId = parts.output().outputId();
        if (!info.outputId().equals(outputId)) {
            stop(
                    "Incarnation %s of %s wrote into output directory %s, but this one is %s:"
                                    .formatted(
                                            incarnation, info.slotName(), info.outputId(), outputId)
                            + " its joined events would all look lost");
            return;
        }
        steps.await(parts.control().fence(parts.pipeline(), incarnation), this::seal);
    }

    private void seal(List<Fenced> groups) throws IOException {
        parts.output().seal(incarnation);
        parts.crashPoints().passed(CrashPoint.REPAIRING);
        Iterator<StoredManifest> manifests = parts.output().manifests(incarnation).iterator();
        steps.next(() -> compare(manifests, groups));
    }

    /** One manifest a step, and in memory: it and its published file may be large. */
    private void compare(Iterator<StoredManifest> manifests, List<Fenced> groups)
            throws IOException {
        if (!manifests.hasNext()) {
            // Read after them: the directory in which they stand is still there, and the sealed
            // one.
            if (!parts.output().isSealed(incarnation)) {
                throw new IOException("Expected incarnation " + incarnation + " to be sealed");
            }
            for (String path : parts.output().published(incarnation)) {
                if (!published.hasFile(path)) {
                    stop(
                            "%s is a published file of incarnation %s, but no manifest knows it:"
                                            .formatted(path, incarnation)
                                    + " its joined events would all look lost");
                    return;
                }
            }
            life = groups.get(0).life();
            GroupScan scan = new GroupScan(incarnation, groups);
            steps.next(() -> scanOn(scan));
            return;
        }
        Manifest manifest = manifests.next().read();
        Optional<String> wrong = parts.output().verify(manifest);
        if (wrong.isEmpty()) {
            wrong = published.add(manifest);
        }
        if (wrong.isPresent()) {
            stop(
                    "Manifest %s of incarnation %s: %s"
                            .formatted(manifest.sequence(), incarnation, wrong.get()));
            return;
        }
        steps.next(() -> compare(manifests, groups));
    }

    private void scanOn(GroupScan scan) throws IOException {
        if (lost.size() >= parts.limits().lostIdsMax() || (scan.done() && !lost.isEmpty())) {
            parts.records().add(incarnation, lost.tokens());
            reinjection.start(lost, () -> writeOff(scan));
        } else if (scan.done()) {
            steps.next(this::markRepaired);
        } else {
            steps.await(
                    parts.control()
                            .scan(
                                    parts.pipeline(),
                                    scan.group(),
                                    incarnation,
                                    scan.after(),
                                    parts.limits().scanPage()),
                    page -> judge(scan, page));
        }
    }

    private void judge(GroupScan scan, ScanPage page) {
        for (Commit held : page.held()) {
            switch (published.judge(held)) {
                case PUBLISHED -> {}
                case OTHER_TOKEN -> {
                    stop(
                            "%s is published with token %s, but the registry holds it for %s"
                                    .formatted(
                                            held.id(),
                                            published.publishedToken(held.id()),
                                            held.token()));
                    return;
                }
                // Above the boundary, which passes nothing of an open incarnation (section 5).
                case LOST -> lost.add(held.id(), held.token());
            }
        }
        scan.passed(page);
        steps.next(() -> scanOn(scan));
    }

    /** What is left of this chunk cannot be re-read: it stays held. */
    private void writeOff(GroupScan scan) throws IOException {
        for (EventId id : lost.ids()) {
            writeOff(id, NOT_IN_LOGS);
        }
        lost.clear();
        steps.next(() -> scanOn(scan));
    }

    private void writeOff(EventId id, String reason) throws IOException {
        parts.lostOutcomes().record(id, reason);
        outcomesLost++;
    }

    private void markRepaired() throws IOException {
        parts.lostOutcomes().sync();
        steps.await(
                parts.control().markRepaired(parts.pipeline(), incarnation, life),
                state -> {
                    if (state == IncarnationState.OPEN) {
                        throw new IOException(
                                "Expected the registry that was scanned, but it was restored from a backup meanwhile");
                    }
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
