package photon.server.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.loop.EventLoop;

/**
 * Looks once a second how a process is, from its beginning to its end: says so to whoever asks, and
 * to the log. Thread-safe.
 */
public final class HealthMonitor implements HealthSource, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HealthMonitor.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final Peers peers;
    private final CheckRun readyRun = new CheckRun();
    private final CheckRun liveRun = new CheckRun();
    private final HealthLog told = new HealthLog();
    private final Check serves = new Check("serving", "", now -> phaseFailure());
    private DaemonChecks daemon = DaemonChecks.NONE;
    private Optional<String> phase = Optional.of("starting");
    private volatile Seen seen = Seen.of(Optional.of("starting"));
    private volatile Runnable looked = () -> {};

    /**
     * How long a peer has not answered; zero if it does.
     *
     * @param peer the name of its group
     */
    public record PeerSilence(String peer, String address, Duration silent) {}

    private record Seen(HealthReport live, HealthReport ready, List<PeerSilence> peers) {
        static Seen of(Optional<String> phase) {
            CheckResult serving =
                    new CheckResult(
                            "serving", "", phase.isEmpty(), Duration.ZERO, phase.orElse(""));
            return new Seen(
                    new HealthReport(List.of()), new HealthReport(List.of(serving)), List.of());
        }
    }

    private HealthMonitor(EventLoop loop, Peers peers) {
        this.loop = loop;
        this.peers = peers;
    }

    /**
     * Begins to look; the process is starting.
     *
     * @param loop of its own: nothing blocks it. Closed with this
     * @param peers closed with this
     */
    public static HealthMonitor start(EventLoop loop, Peers peers) {
        HealthMonitor monitor = new HealthMonitor(loop, peers);
        loop.execute(monitor::tick);
        return monitor;
    }

    /**
     * @param told now, and whenever something may have changed, in any thread; quick
     */
    void afterEachLook(Runnable told) {
        looked = told;
        told.run();
    }

    /** From now on the daemon serves. */
    public void serving(DaemonChecks checks) {
        loop.execute(
                () -> {
                    daemon = checks;
                    phase = Optional.empty();
                    look();
                });
    }

    /** From now on the process ends: nothing is warned of. */
    public void ending() {
        seen = Seen.of(Optional.of("ending"));
        looked.run();
        loop.execute(
                () -> {
                    daemon = DaemonChecks.NONE;
                    phase = Optional.of("ending");
                    look();
                });
    }

    private Optional<Failure> phaseFailure() {
        return phase.map(Failure::seen);
    }

    private void tick() {
        look();
        loop.schedule(EVERY, this::tick);
    }

    private void look() {
        long now = loop.nanoTime();
        boolean ends = phase.equals(Optional.of("ending"));
        if (!ends) {
            peers.ask(now);
        }
        daemon.asks().forEach(ask -> ask.accept(now));
        List<Check> ready = new ArrayList<>();
        ready.add(serves);
        peers.groups().forEach(group -> ready.add(group.reachable()));
        ready.addAll(daemon.ready());
        List<CheckResult> results = readyRun.look(ready, now);
        seen =
                new Seen(
                        new HealthReport(liveRun.look(daemon.live(), now)),
                        new HealthReport(results),
                        silences(now));
        looked.run();
        if (!ends) {
            told.look(results, now).forEach(HealthMonitor::write);
        }
    }

    private List<PeerSilence> silences(long now) {
        List<PeerSilence> all = new ArrayList<>();
        for (PeerGroup group : peers.groups()) {
            for (PeerState peer : group.peers()) {
                all.add(
                        new PeerSilence(
                                group.name(),
                                peer.address(),
                                peer.failure(now)
                                        .map(failure -> silence(failure, now))
                                        .orElse(Duration.ZERO)));
            }
        }
        return all;
    }

    private static Duration silence(Failure failure, long now) {
        return Duration.ofNanos(now - failure.sinceNanos().orElse(now));
    }

    private static void write(HealthLog.Line line) {
        if (line.warning()) {
            log.warn("{}", line.text());
        } else {
            log.info("{}", line.text());
        }
    }

    @Override
    public HealthReport live() {
        return seen.live();
    }

    @Override
    public HealthReport ready() {
        return seen.ready();
    }

    /** A moment ago. */
    public List<PeerSilence> peers() {
        return seen.peers();
    }

    @Override
    public void close() {
        // What waits in a loop that closes is dropped; nothing else uses the peers any more.
        loop.close();
        peers.close();
    }
}
