package photon.verifier.repair;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;
import photon.registry.api.RegistryClient.Commit;
import photon.verifier.steps.Steps;

/**
 * Finds what an incarnation has lost: scans what its tokens hold and compares it with what it has
 * published, in the steps of its repair, until a chunk is full or all is compared. Pages are asked
 * for ahead, in all groups at once. Not thread-safe.
 */
final class LostSearch implements LostIds {
    private final RepairParts parts;
    private final Incarnation incarnation;
    private final Steps steps;
    private final HeldScan scan;
    private final PublishedComparison comparison;
    private final LostEvents lost;
    private final Optional<NoLongerHeld> noLongerHeld;
    private final Consumer<String> stop;
    private Steps.Step found = () -> {};
    private boolean waits;
    private boolean done;

    /**
     * @param lost is filled
     * @param noLongerHeld is told all that is lost, and each group's boundary
     * @param stop told what a person must look at: nothing more is done
     */
    LostSearch(
            RepairParts parts,
            Incarnation incarnation,
            Steps steps,
            HeldScan scan,
            PublishedComparison comparison,
            LostEvents lost,
            Optional<NoLongerHeld> noLongerHeld,
            Consumer<String> stop) {
        this.parts = parts;
        this.incarnation = incarnation;
        this.steps = steps;
        this.scan = scan;
        this.comparison = comparison;
        this.lost = lost;
        this.noLongerHeld = noLongerHeld;
        this.stop = stop;
    }

    @Override
    public boolean done() {
        return done;
    }

    @Override
    public void on(Steps.Step whenFound) {
        found = whenFound;
        ask();
        steps.next(this::compareOn);
    }

    private void ask() {
        for (GroupScan group : scan.wanting()) {
            group.ask();
            steps.await(
                    parts.control()
                            .scan(
                                    parts.pipeline(),
                                    group.group(),
                                    incarnation,
                                    group.after(),
                                    scan.page()),
                    page -> {
                        group.passed(page);
                        noLongerHeld.ifPresent(rows -> rows.boundary(page.boundaryMicros()));
                        if (waits) {
                            waits = false;
                            compareOn();
                        }
                    });
        }
    }

    private void compareOn() throws IOException {
        for (int i = 0; i < parts.limits().comparedAtOnce(); i++) {
            if (lost.size() >= parts.limits().lostIdsMax()) {
                found.run();
                return;
            }
            if (!scan.known()) {
                waits = true;
                ask();
                return;
            }
            Commit held = scan.next();
            if (held == null) {
                steps.next(this::drain);
                return;
            }
            String wrong = judge(held);
            if (wrong != null) {
                stop.accept(wrong);
                return;
            }
        }
        ask();
        steps.next(this::compareOn);
    }

    /** What is wrong; null: all is well. */
    private @Nullable String judge(Commit held) throws IOException {
        PublishedComparison.Verdict verdict = comparison.judge(held);
        if (comparison.publishedTwice().isPresent()) {
            return comparison.publishedTwice().get();
        }
        switch (verdict) {
            case PUBLISHED -> {}
            case OTHER_TOKEN -> {
                return "%s is published with token %s, but the registry holds it for %s"
                        .formatted(held.id(), comparison.publishedToken(), held.token());
            }
            // Above the boundary, which passes nothing of an open incarnation (section 5).
            case LOST -> {
                lost.add(held.id(), held.token());
                noLongerHeld.ifPresent(rows -> rows.met(held.id()));
            }
        }
        return null;
    }

    private void drain() throws IOException {
        boolean drained = comparison.drain(parts.limits().comparedAtOnce());
        if (comparison.publishedTwice().isPresent()) {
            stop.accept(comparison.publishedTwice().get());
        } else if (drained) {
            done = true;
            found.run();
        } else {
            steps.next(this::drain);
        }
    }
}
