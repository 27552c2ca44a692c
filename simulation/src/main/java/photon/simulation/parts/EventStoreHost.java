package photon.simulation.parts;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import photon.core.loop.EventLoop;
import photon.eventstore.index.FileLogIndex;
import photon.eventstore.index.IndexDirectory;
import photon.eventstore.index.IndexLimits;
import photon.eventstore.index.LogIndexException;
import photon.eventstore.lookup.Arrivals;
import photon.eventstore.lookup.FrontierService;
import photon.eventstore.lookup.LookupCounts;
import photon.eventstore.lookup.LookupService;
import photon.eventstore.lookup.PrimaryLookup;
import photon.eventstore.server.EventStoreServer;
import photon.eventstore.tail.BadRecordLog;
import photon.eventstore.tail.IndexRetention;
import photon.eventstore.tail.PrimaryIndexer;
import photon.eventstore.tail.PrimaryLog;
import photon.eventstore.tail.TailProgress;
import photon.simulation.kernel.Life;
import photon.storage.ledger.Ledger;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.LogTail;

/** A datacenter's event store as a process, wired as {@link EventStoreServer} wires it. */
public final class EventStoreHost extends ProcessHost {
    static final String ROLE = "eventstore";
    static final String LOOKUP = "PrimaryLookup";
    static final String FRONTIER = "Frontier";
    static final String AWAIT = "Await";

    /** Small, so that segments end, are sealed and merged within a world. */
    private static final IndexLimits INDEX =
            new IndexLimits(1, 2, 16 << 10, 1 << 10, 3, 5_000, 8, 0);

    private @Nullable FileLogIndex index;
    private @Nullable TailProgress progress;

    EventStoreHost(SimulatedSite site) {
        super(site, ROLE);
    }

    @Override
    void open(Means means) throws IOException {
        Life life = means.life();
        String state = site.layout.state(ROLE);
        means.files().createDirectories(state);
        lockOut();
        FileLogIndex opened =
                new IndexDirectory(
                                means.files(),
                                state,
                                INDEX.withCacheBytes(site.config.limits().cacheBytes()))
                        .open(site.config.primary(), life.loop("index"));
        index = opened;
        TailProgress before = TailProgress.begun(opened.opened());
        Ledger ledger = Ledger.open(means.files(), site.layout.ledger(ROLE));
        LogTail tail =
                new LogTail(
                        means.files(),
                        site.config.primary(),
                        opened.opened().positions(),
                        site.config.primary().input().listEvery(),
                        life.clock());
        AtomicReference<TailProgress> now = new AtomicReference<>(before);
        EventLoop tailLoop = life.loop("tail");
        Arrivals arrivals = new Arrivals(means.main(), tailLoop, opened);
        PrimaryIndexer indexer =
                new PrimaryIndexer(
                        tailLoop,
                        PrimaryLog.of(tail, life.clock()),
                        opened,
                        BadRecordLog.of(ledger, life.clock()),
                        arrivals::indexed,
                        next -> {
                            now.set(next);
                            progress = next;
                        });
        indexer.start();
        LongAccumulator boundary = new LongAccumulator(Math::max, Long.MIN_VALUE);
        new IndexRetention(
                        tailLoop,
                        opened::expire,
                        new LedgerRetention(means.files(), site.layout.ledger(ROLE)),
                        site.config.limits().keepLedgers(),
                        life.clock(),
                        site.config.retention(),
                        boundary::get)
                .start();
        serve(life, means.main(), opened, now, boundary::accumulate);
        site.world
                .network()
                .serveSession(life, means.main(), site.layout.address(ROLE), AWAIT, arrivals);
    }

    /** What the lock of the state's directory does to a process that is still there. */
    private void lockOut() {
        FileLogIndex earlier = index;
        if (earlier != null) {
            try {
                earlier.close();
            } catch (LogIndexException e) {
                // Its process is dead, and its files are closed.
            }
        }
    }

    private void serve(
            Life life,
            EventLoop admission,
            FileLogIndex opened,
            AtomicReference<TailProgress> now,
            LongConsumer boundary) {
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
                                        opened, counts, EventStoreServer.ANSWER_BYTES_MAX),
                                counts,
                                EventStoreServer.KEYS_IN_FLIGHT_MAX,
                                () -> requireNonNull(now.get()).behind(),
                                () -> requireNonNull(now.get()).allRead(admission.nanoTime()),
                                boundary));
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

    @Override
    void gone() {
        progress = null;
    }
}
