package photon.server.metrics;

/** Something that is measured. Asked at each scrape, in any thread, one at a time. */
@FunctionalInterface
public interface MetricSource {
    /** Adds its values as they are now. Quick: a scrape waits for it. */
    void addTo(Samples samples);
}
