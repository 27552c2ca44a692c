package photon.adapter.testing;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import photon.adapter.AdapterContext;
import photon.adapter.AdapterOptions;

/** The context of an adapter under test. Its counters can be read; its timers count calls. */
public final class TestContext implements AdapterContext {
    private final AdapterOptions options;
    private final Map<String, LongAdder> figures = new TreeMap<>();

    public TestContext(Map<String, String> options) {
        this.options = new AdapterOptions(options);
    }

    @Override
    public String pipeline() {
        return "test";
    }

    @Override
    public String datacenter() {
        return "test";
    }

    @Override
    public AdapterOptions options() {
        return options;
    }

    @Override
    public System.Logger logger() {
        return System.getLogger("adapter");
    }

    @Override
    public Counter counter(String name, String help) {
        return figure(name)::add;
    }

    @Override
    public Timer timer(String name, String help) {
        LongAdder calls = figure(name);
        return nanos -> calls.increment();
    }

    private synchronized LongAdder figure(String name) {
        return figures.computeIfAbsent(name, n -> new LongAdder());
    }

    /** What the counter is at, or how often the timer was called; 0 if there is none. */
    public synchronized long count(String name) {
        LongAdder figure = figures.get(name);
        return figure == null ? 0 : figure.sum();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }
}
