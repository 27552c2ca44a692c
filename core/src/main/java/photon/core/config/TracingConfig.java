package photon.core.config;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Which events are traced, and where their traces go.
 *
 * @param endpoint of a collector that takes OTLP over HTTP, with the path {@code /v1/traces}
 * @param sampleOneIn one event of so many is traced, whatever comes of it; 0: none
 * @param slow what takes longer is traced, too; above 0
 * @param alwaysPerSecondMax of events that are traced since they are slow, tried again or repaired,
 *     at most so many a second; 0 or more
 * @param trust PEM file of the authorities that vouch for the collector; empty: those of the Java
 *     runtime
 */
public record TracingConfig(
        URI endpoint,
        int sampleOneIn,
        Duration slow,
        int alwaysPerSecondMax,
        Optional<Path> trust) {
    public static final int SAMPLE_ONE_IN_DEFAULT = 1_000;
    public static final Duration SLOW_DEFAULT = Duration.ofSeconds(5);
    public static final int ALWAYS_PER_SECOND_MAX_DEFAULT = 20;
}
