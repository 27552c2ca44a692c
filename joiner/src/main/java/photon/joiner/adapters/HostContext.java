package photon.joiner.adapters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;
import photon.adapter.AdapterContext;
import photon.adapter.AdapterOptions;
import photon.core.metrics.DelayHistogram;

/** What an adapter gets of the process that it runs in. Thread-safe. */
final class HostContext implements AdapterContext {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,59}");
    private static final int INSTRUMENTS_MAX = 50;
    private static final int MICRO_NANOS = 1_000;

    private final AdapterHost host;
    private final AdapterOptions options;
    private final System.Logger logger;
    private final Map<String, Count> counters = new TreeMap<>();
    private final Map<String, Delays> timers = new TreeMap<>();

    HostContext(AdapterHost host, Map<String, String> options, String adapterClass) {
        this.host = host;
        this.options = new AdapterOptions(options);
        this.logger = new AdapterLog(LoggerFactory.getLogger(adapterClass));
    }

    private record Count(String help, LongAdder value) implements Counter {
        @Override
        public void add(long count) {
            value.add(count);
        }
    }

    private record Delays(String help, DelayHistogram histogram) implements Timer {
        @Override
        public void record(long nanos) {
            histogram.recordShared(nanos / MICRO_NANOS);
        }
    }

    @Override
    public String pipeline() {
        return host.pipeline();
    }

    @Override
    public String datacenter() {
        return host.datacenter();
    }

    @Override
    public AdapterOptions options() {
        return options;
    }

    @Override
    public System.Logger logger() {
        return logger;
    }

    @Override
    public synchronized Counter counter(String name, String help) {
        checkName(name, counters, timers);
        return counters.computeIfAbsent(name, n -> new Count(help, new LongAdder()));
    }

    @Override
    public synchronized Timer timer(String name, String help) {
        checkName(name, timers, counters);
        return timers.computeIfAbsent(name, n -> new Delays(help, new DelayHistogram()));
    }

    private void checkName(String name, Map<String, ?> same, Map<String, ?> others) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Expected a name of at most 60 small letters, digits and '_', beginning with a letter, but got '%s'"
                            .formatted(name));
        }
        if (others.containsKey(name)) {
            throw new IllegalArgumentException(
                    "Expected one name for a counter or a timer, but '%s' is to be both"
                            .formatted(name));
        }
        if (!same.containsKey(name) && counters.size() + timers.size() >= INSTRUMENTS_MAX) {
            throw new IllegalArgumentException(
                    "Expected at most %s counters and timers, but '%s' is one more"
                            .formatted(INSTRUMENTS_MAX, name));
        }
    }

    @Override
    public Set<Capability> capabilities() {
        return host.capabilities();
    }

    synchronized List<AdapterFigure> figures() {
        List<AdapterFigure> figures = new ArrayList<>();
        counters.forEach(
                (name, count) ->
                        figures.add(
                                new AdapterFigure.Count(name, count.help(), count.value().sum())));
        timers.forEach(
                (name, delays) ->
                        figures.add(
                                new AdapterFigure.Delays(
                                        name, delays.help(), delays.histogram().counts())));
        return figures;
    }
}
