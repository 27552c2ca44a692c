package photon.simulation.parts;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.eventstore.lookup.Arrivals;
import photon.eventstore.lookup.FrontierService;
import photon.eventstore.lookup.LookupCounts;
import photon.eventstore.lookup.LookupService;
import photon.eventstore.lookup.PrimaryCache;
import photon.eventstore.lookup.PrimaryLookup;
import photon.eventstore.server.EventStoreServer;
import photon.eventstore.tail.BadRecordLog;
import photon.eventstore.tail.PrimaryIndexer;
import photon.eventstore.tail.PrimaryLog;
import photon.eventstore.tail.TailProgress;
import photon.simulation.kernel.Life;
import photon.storage.ledger.Ledger;
import photon.storage.tail.LogTail;

/** A datacenter's event store as a process, wired as {@link EventStoreServer} wires it. */
public final class EventStoreHost extends ProcessHost {
    static final String ROLE = "eventstore";
    static final String LOOKUP = "PrimaryLookup";
    static final String FRONTIER = "Frontier";
    static final String AWAIT = "Await";

    private final SurvivingIndex index;
    private @Nullable TailProgress progress;

    EventStoreHost(SimulatedSite site) {
        super(site, ROLE);
        this.index = new SurvivingIndex(site.world.timeline().random().split());
    }

    @Override
    void open(Means means) throws IOException {
        Life life = means.life();
        String state = site.layout.state(ROLE);
        means.files().createDirectories(state);
        SurvivingIndex.Opened opened = index.open();
        TailProgress before = TailProgress.begun(opened.opened());
        Ledger ledger = Ledger.open(means.files(), site.layout.ledger(ROLE));
        LogTail tail =
                new LogTail(
                        means.files(),
                        site.config.primary(),
                        opened.opened().positions(),
                        EventStoreServer.RESCAN,
                        life.clock());
        PrimaryCache cache = new PrimaryCache(site.config.limits().cacheBytes());
        AtomicReference<TailProgress> now = new AtomicReference<>(before);
        EventLoop tailLoop = life.loop("tail");
        Arrivals arrivals = new Arrivals(means.main(), tailLoop, cache);
        PrimaryIndexer indexer =
                new PrimaryIndexer(
                        tailLoop,
                        PrimaryLog.of(tail, life.clock()),
                        opened,
                        BadRecordLog.of(ledger, life.clock()),
                        cache,
                        arrivals::indexed,
                        next -> {
                            now.set(next);
                            progress = next;
                        });
        indexer.start();
        serve(life, means.main(), opened, cache, now);
        site.world
                .network()
                .serveSession(life, means.main(), site.layout.address(ROLE), AWAIT, arrivals);
    }

    private void serve(
            Life life,
            EventLoop admission,
            SurvivingIndex.Opened opened,
            PrimaryCache cache,
            AtomicReference<TailProgress> now) {
        List<EventLoop> readers = new ArrayList<>();
        for (int i = 0; i < EventStoreServer.READERS; i++) {
            readers.add(life.loop("read-" + i));
        }
        LookupCounts counts = new LookupCounts();
        site.world
                .network()
                .serve(
                        life,
                        admission,
                        site.layout.address(ROLE),
                        LOOKUP,
                        new LookupService(
                                admission,
                                readers,
                                new PrimaryLookup(
                                        cache, opened, counts, EventStoreServer.ANSWER_BYTES_MAX),
                                counts,
                                EventStoreServer.KEYS_IN_FLIGHT_MAX,
                                () -> requireNonNull(now.get()).behind()));
        site.world
                .network()
                .serve(
                        life,
                        admission,
                        site.layout.address(ROLE),
                        FRONTIER,
                        new FrontierService(() -> requireNonNull(now.get()).unread()));
    }

    /** How far it has read; null while it does not run, or has not read yet. */
    public @Nullable TailProgress progress() {
        return progress;
    }

    /** The power was cut. */
    void powerLost() {
        index.powerLost();
    }

    @Override
    void gone() {
        progress = null;
    }
}
