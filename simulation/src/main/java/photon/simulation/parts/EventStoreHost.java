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
import photon.core.share.StoreShare;
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

/** One of a datacenter's event stores as a process, wired as {@link EventStoreServer} wires it. */
public final class EventStoreHost extends ProcessHost {
    private static final String ROLE = "eventstore";

    /** Lives of one of several that begin with an empty disk. */
    private static final int LOST_ONE_IN = 3;

    static final String LOOKUP = "PrimaryLookup";
    static final String FRONTIER = "Frontier";
    static final String AWAIT = "Await";

    /** Small, so that segments end, are sealed and merged within a world. */
    private static final IndexLimits INDEX =
            new IndexLimits(1, 2, 16 << 10, 1 << 10, 3, 5_000, 8, 0);

    private final String name;
    private @Nullable FileLogIndex index;
    private @Nullable TailProgress progress;

    /**
     * @param name one of those that the datacenter ever lists
     */
    EventStoreHost(SimulatedSite site, String name) {
        super(site, role(site, name));
        this.name = name;
    }

    private static String role(SimulatedSite site, String name) {
        return isAlone(site) ? ROLE : name;
    }

    private static boolean isAlone(SimulatedSite site) {
        return site.world.eventStores().names().size() == 1;
    }

    /** Of those that the datacenter lists now. */
    static List<String> roles(SimulatedSite site) {
        return roles(site, site.eventStores().names());
    }

    /** Of all that the datacenter ever lists. */
    static List<String> allRoles(SimulatedSite site) {
        return roles(site, site.world.eventStores().names());
    }

    private static List<String> roles(SimulatedSite site, List<String> names) {
        return names.stream().map(name -> role(site, name)).toList();
    }

    /** One that is not listed has no share: production refuses to start it. */
    @Override
    public boolean isListed() {
        return site.eventStores().names().contains(name);
    }

    @Override
    void open(Means means) throws IOException {
        Life life = means.life();
        String state = site.layout.state(role);
        means.files().createDirectories(state);
        lockOut();
        StoreShare share = new StoreShare(site.eventStores(), name);
        if (!isAlone(site) && life.random().nextInt(LOST_ONE_IN) == 0) {
            means.files().delete(state + "/index");
        }
        FileLogIndex opened =
                new IndexDirectory(
                                means.files(),
                                state,
                                INDEX.withCacheBytes(site.config.limits().cacheBytes()))
                        .open(site.config.primary(), share, life.loop("index"));
        index = opened;
        TailProgress before = TailProgress.begun(opened.opened());
        Ledger ledger = Ledger.open(means.files(), site.layout.ledger(role));
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
        LongAccumulator boundary = new LongAccumulator(Math::max, Long.MIN_VALUE);
        PrimaryIndexer indexer =
                new PrimaryIndexer(
                        tailLoop,
                        PrimaryLog.of(tail, life.clock(), site.config.retention(), boundary::get),
                        share,
                        opened,
                        BadRecordLog.of(ledger, life.clock()),
                        arrivals::indexed,
                        next -> {
                            now.set(next);
                            progress = next;
                        });
        indexer.start();
        new IndexRetention(
                        tailLoop,
                        opened::expire,
                        new LedgerRetention(means.files(), site.layout.ledger(role)),
                        site.config.limits().keepLedgers(),
                        life.clock(),
                        site.config.retention(),
                        boundary::get)
                .start();
        serve(life, means.main(), opened, share, now, boundary::accumulate);
        site.world
                .network()
                .serveSession(life, means.main(), site.layout.address(role), AWAIT, arrivals);
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
            StoreShare share,
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
                        site.layout.address(role),
                        LOOKUP,
                        new LookupService(
                                admission,
                                readers,
                                new PrimaryLookup(
                                        opened, share, counts, EventStoreServer.ANSWER_BYTES_MAX),
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
                        site.layout.address(role),
                        FRONTIER,
                        new FrontierService(() -> requireNonNull(now.get())));
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
