package photon.verifier.retention;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.IoText;
import photon.core.error.Reminders;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.storage.ledger.LedgerRetention;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory.StoredManifest;
import photon.storage.output.RetiredIncarnations;
import photon.storage.output.RetiredIncarnations.Left;
import photon.storage.output.Retirement;
import photon.verifier.source.OutputFiles;
import photon.verifier.steps.Steps;

/**
 * Retires what {@link RetentionRule} says, in passes, one at a time, each of bounded work; the next
 * goes on. Nothing is remembered but what is durable, so a crash anywhere starts over. Lives in its
 * loop.
 */
public final class RetentionLoop {
    private static final Logger log = LoggerFactory.getLogger(RetentionLoop.class);

    private static final String UNREADABLE = "unreadable";

    private final EventLoop loop;
    private final ControlClient control;
    private final UUID pipeline;
    private final String slotPrefix;
    private final OutputFiles output;
    private final Records records;
    private final Limits limits;
    private final Consumer<RetentionStatus> told;

    /** Of settled ones what they have left, so that it is read once while the boundary comes. */
    private final Map<Incarnation, Measured> measured = new HashMap<>();

    private final Reminders<Incarnation> unreadable = new Reminders<>();
    private @Nullable Steps steps;
    private EventLoop.@Nullable Cancellable next;
    private RetentionStatus status = RetentionStatus.NOTHING_KNOWN;
    private boolean closed;

    /** What the verifier itself keeps of an incarnation. */
    public interface Records {
        /** The ids that its repairs had found lost: how many, and the highest timestamp, or -1. */
        Lost lost(Incarnation incarnation) throws IOException;

        /** Nobody needs them any more. May be repeated. */
        void drop(Incarnation incarnation) throws IOException;

        /** What only retired incarnations need may go; told after each pass. */
        LedgerRetention.Figures shortenLedger(RetiredIncarnations retired);
    }

    /**
     * @param events how many
     * @param lastMicros the highest timestamp; -1 without any
     */
    public record Lost(long events, long lastMicros) {}

    /**
     * @param interval from the end of a pass to the next
     * @param measuredAtOnce of how many incarnations a pass reads the manifests, at most
     * @param retiredAtOnce how many a pass retires, at most
     */
    public record Limits(Duration interval, int measuredAtOnce, int retiredAtOnce) {
        public static final Limits DEFAULTS = new Limits(Duration.ofMinutes(1), 20, 20);
    }

    private record Measured(int timesReopened, Left left) {}

    private record Candidate(IncarnationInfo info, Left left) {}

    /**
     * @param slotPrefix which slots are this datacenter's, such as {@code east/}
     * @param told hears of every change
     */
    public RetentionLoop(
            EventLoop loop,
            ControlClient control,
            UUID pipeline,
            String slotPrefix,
            OutputFiles output,
            Records records,
            Limits limits,
            Consumer<RetentionStatus> told) {
        this.loop = loop;
        this.control = control;
        this.pipeline = pipeline;
        this.slotPrefix = slotPrefix;
        this.output = output;
        this.records = records;
        this.limits = limits;
        this.told = told;
    }

    public void start() {
        loop.checkInLoop();
        next = loop.schedule(limits.interval(), this::pass);
    }

    /** Gives up what is under way. Safe to call twice. */
    public void close() {
        closed = true;
        if (steps != null) {
            steps.end();
        }
        if (next != null) {
            next.cancel();
        }
    }

    private void pass() {
        Steps pass = new Steps(loop, this::failed);
        steps = pass;
        pass.next(() -> removeLeftovers(pass));
    }

    /** Of retired ones: a crash came between. */
    private void removeLeftovers(Steps pass) throws IOException {
        for (Incarnation incarnation : output.leftovers()) {
            remove(incarnation);
        }
        pass.await(control.incarnations(pipeline, slotPrefix), list -> listed(pass, list));
    }

    private void listed(Steps pass, List<IncarnationInfo> list) throws IOException {
        RetiredIncarnations retired = output.retired();
        Map<String, Long> waiting = new TreeMap<>();
        Deque<IncarnationInfo> unknown = new ArrayDeque<>();
        List<Candidate> known = new ArrayList<>();
        Map<Incarnation, Measured> kept = new HashMap<>();
        for (IncarnationInfo info : list.stream().flatMap(RetentionLoop::single).toList()) {
            Incarnation incarnation = info.incarnation();
            if (retired.contains(incarnation)) {
                continue;
            }
            Measured before = measured.get(incarnation);
            if (before != null && before.timesReopened() == info.rows().timesReopened()) {
                kept.put(incarnation, before);
                known.add(new Candidate(info, before.left()));
            } else if (RetentionRule.settled(info, output.outputId(), List.of())
                    == RetentionRule.Verdict.RETIRE) {
                unknown.add(info);
            }
        }
        measured.clear();
        measured.putAll(kept);
        unreadable.retain(unknown.stream().map(IncarnationInfo::incarnation).toList());
        if (unknown.size() > limits.measuredAtOnce()) {
            waiting.put("not_measured", (long) unknown.size() - limits.measuredAtOnce());
        }
        measure(pass, unknown, 0, known, waiting);
    }

    /**
     * The control group's list shows clean generations of a slot that follow each other in one row.
     */
    private static Stream<IncarnationInfo> single(IncarnationInfo row) {
        Incarnation last = row.incarnation();
        return IntStream.rangeClosed(row.firstGeneration(), last.generation())
                .mapToObj(generation -> row.alone(new Incarnation(last.slot(), generation)));
    }

    private void measure(
            Steps pass,
            Deque<IncarnationInfo> unknown,
            int done,
            List<Candidate> known,
            Map<String, Long> waiting)
            throws IOException {
        if (unknown.isEmpty() || done == limits.measuredAtOnce()) {
            Deque<Candidate> byLast = new ArrayDeque<>();
            known.stream()
                    .sorted(Comparator.comparingLong(one -> one.left().lastMicros()))
                    .forEach(byLast::add);
            judge(pass, byLast, 0, waiting);
            return;
        }
        IncarnationInfo info = unknown.remove();
        Steps.StepWith<Optional<Left>> then =
                left -> {
                    left.ifPresentOrElse(
                            one -> known.add(measured(info, one)),
                            () -> waiting.merge(UNREADABLE, 1L, Long::sum));
                    measure(pass, unknown, done + 1, known, waiting);
                };
        Iterator<StoredManifest> manifests;
        Iterator<StoredManifest> lost;
        Lost found;
        try {
            lost = output.lostManifests(info.incarnation()).iterator();
            manifests = output.settledManifests(info.incarnation()).iterator();
            found = records.lost(info.incarnation());
        } catch (IOException e) {
            unreadable(info, e);
            then.run(Optional.empty());
            return;
        }
        Left begun = new Left(1, 0, 0, found.events(), found.lastMicros());
        read(pass, info, manifests, lost, begun, then);
    }

    private Candidate measured(IncarnationInfo info, Left left) {
        Left all = left.lastMicros() < 0 ? lastHeard(left, info) : left;
        measured.put(info.incarnation(), new Measured(info.rows().timesReopened(), all));
        return new Candidate(info, all);
    }

    /** It waits for a person, as its repair or the books do; others do not wait for it. */
    private void unreadable(IncarnationInfo info, IOException why) {
        if (unreadable.isDue(info.incarnation(), loop.nanoTime())) {
            log.warn(
                    "What {} has left cannot be read, so it stays: {}",
                    info.incarnation(),
                    IoText.of(why));
        }
    }

    /** One of which no id is known may have held one all the same, and not after its last word. */
    private static Left lastHeard(Left left, IncarnationInfo info) {
        return new Left(
                left.incarnations(),
                left.manifests(),
                left.events(),
                left.lost(),
                Math.max(info.startedMicros(), info.heardMicros()));
    }

    /** One manifest a step: it may be large. Empty: one of them cannot be read. */
    private void read(
            Steps pass,
            IncarnationInfo info,
            Iterator<StoredManifest> manifests,
            Iterator<StoredManifest> lost,
            Left left,
            Steps.StepWith<Optional<Left>> then)
            throws IOException {
        boolean published = manifests.hasNext();
        if (!published && !lost.hasNext()) {
            then.run(Optional.of(left));
            return;
        }
        Manifest.Summary one;
        long[] upgrades = new long[1];
        try {
            one =
                    (published ? manifests : lost)
                            .next()
                            .forEach((id, token) -> upgrades[0] += id.isUpgrade() ? 1 : 0);
        } catch (IOException e) {
            unreadable(info, e);
            then.run(Optional.empty());
            return;
        }
        Left more = with(left, published ? 1 : 0, one, one.entries() - upgrades[0]);
        pass.next(() -> read(pass, info, manifests, lost, more, then));
    }

    /**
     * What was declared lost counts for its last id alone.
     *
     * @param events of the manifest; an upgrade is none, since its event counts already
     */
    private static Left with(Left left, int manifests, Manifest.Summary one, long events) {
        return new Left(
                left.incarnations(),
                left.manifests() + manifests,
                left.events() + manifests * events,
                left.lost(),
                Math.max(left.lastMicros(), one.lastMicros()));
    }

    /** The oldest first: where the boundary has not come to it, it has to none behind. */
    private void judge(Steps pass, Deque<Candidate> byLast, int retired, Map<String, Long> waiting)
            throws IOException {
        Candidate candidate = byLast.poll();
        if (candidate == null) {
            ended(waiting);
            return;
        }
        if (retired == limits.retiredAtOnce()) {
            waiting.merge("next_pass", 1L + byLast.size(), Long::sum);
            ended(waiting);
            return;
        }
        Incarnation incarnation = candidate.info().incarnation();
        RetentionRule.Verdict verdict;
        try {
            verdict =
                    RetentionRule.settled(
                            candidate.info(), output.outputId(), output.declarations(incarnation));
        } catch (IOException e) {
            unreadable(candidate.info(), e);
            waiting.merge(UNREADABLE, 1L, Long::sum);
            judge(pass, byLast, retired, waiting);
            return;
        }
        if (verdict != RetentionRule.Verdict.RETIRE) {
            count(waiting, verdict, 1);
            judge(pass, byLast, retired, waiting);
            return;
        }
        pass.await(
                control.fence(pipeline, incarnation),
                groups ->
                        pass.await(
                                ofAll(groups, one -> boundary(one, incarnation)),
                                reach -> {
                                    if (isBelow(candidate, reach)) {
                                        count(
                                                waiting,
                                                RetentionRule.Verdict.BOUNDARY,
                                                1L + byLast.size());
                                        ended(waiting);
                                        return;
                                    }
                                    look(pass, candidate, groups, byLast, retired, waiting);
                                }));
    }

    private static boolean isBelow(Candidate candidate, List<RetentionRule.Reach> reach) {
        return RetentionRule.passed(candidate.left().lastMicros(), reach)
                == RetentionRule.Verdict.BOUNDARY;
    }

    /** To see that an incarnation holds nothing, all ids are looked at: last of all. */
    private void look(
            Steps pass,
            Candidate candidate,
            List<Fenced> groups,
            Deque<Candidate> byLast,
            int retired,
            Map<String, Long> waiting) {
        Incarnation incarnation = candidate.info().incarnation();
        pass.await(
                ofAll(groups, one -> scan(one, incarnation)),
                reach -> {
                    RetentionRule.Verdict passed =
                            RetentionRule.passed(candidate.left().lastMicros(), reach);
                    if (passed == RetentionRule.Verdict.RETIRE) {
                        retire(candidate);
                        judge(pass, byLast, retired + 1, waiting);
                    } else {
                        count(waiting, passed, 1);
                        judge(pass, byLast, retired, waiting);
                    }
                });
    }

    private static CompletableFuture<List<RetentionRule.Reach>> ofAll(
            List<Fenced> groups,
            Function<Fenced, CompletableFuture<RetentionRule.Reach>> question) {
        List<CompletableFuture<RetentionRule.Reach>> answers =
                groups.stream().map(question).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<RetentionRule.Reach> boundary(Fenced group, Incarnation incarnation) {
        return control.boundary(pipeline, group, incarnation)
                .thenApply(micros -> new RetentionRule.Reach(micros, false));
    }

    private CompletableFuture<RetentionRule.Reach> scan(Fenced group, Incarnation incarnation) {
        return control.scan(pipeline, group, incarnation, null, 1)
                .thenApply(
                        page ->
                                new RetentionRule.Reach(
                                        page.boundaryMicros(), !page.held().isEmpty()));
    }

    /** Durable first; then it may go. */
    private void retire(Candidate candidate) throws IOException {
        Incarnation incarnation = candidate.info().incarnation();
        output.retire(incarnation, candidate.left());
        remove(incarnation);
        measured.remove(incarnation);
        log.info(
                "Incarnation {} of {} is retired: {} manifests with {} events",
                incarnation,
                candidate.info().slotName(),
                candidate.left().manifests(),
                candidate.left().events());
    }

    private void remove(Incarnation incarnation) throws IOException {
        records.drop(incarnation); // first: a later pass finds the rest by what the output holds
        Retirement.Removed removed = output.remove(incarnation);
        status =
                new RetentionStatus(
                        status.retired(),
                        status.retiredManifests(),
                        status.retiredEvents(),
                        status.removedManifests() + removed.manifests(),
                        status.removedNames() + removed.names(),
                        status.passes(),
                        status.failedPasses(),
                        status.waiting(),
                        status.ledger());
    }

    private static void count(Map<String, Long> waiting, RetentionRule.Verdict why, long more) {
        waiting.merge(why.name().toLowerCase(Locale.ROOT), more, Long::sum);
    }

    private void failed(String reason) {
        log.warn("A pass of retention failed, the next goes on: {}", reason);
        tell(status.passes(), status.failedPasses() + 1, status.waiting());
        again();
    }

    private void ended(Map<String, Long> waiting) throws IOException {
        RetiredIncarnations retired = output.retired();
        Left sum = retired.sum();
        LedgerRetention.Figures ledger = records.shortenLedger(retired);
        status =
                new RetentionStatus(
                        sum.incarnations(),
                        sum.manifests(),
                        sum.events(),
                        status.removedManifests(),
                        status.removedNames(),
                        status.passes(),
                        status.failedPasses(),
                        status.waiting(),
                        ledger);
        tell(status.passes() + 1, status.failedPasses(), waiting);
        again();
    }

    private void tell(long passes, long failedPasses, Map<String, Long> waiting) {
        status =
                new RetentionStatus(
                        status.retired(),
                        status.retiredManifests(),
                        status.retiredEvents(),
                        status.removedManifests(),
                        status.removedNames(),
                        passes,
                        failedPasses,
                        waiting,
                        status.ledger());
        told.accept(status);
    }

    private void again() {
        if (!closed) {
            next = loop.schedule(limits.interval(), this::pass);
        }
    }
}
