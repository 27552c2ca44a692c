package photon.bench.pipeline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a run of {@code photon bench pipeline} is to do.
 *
 * @param clicksPercent foreign events per hundred primary events, in the mean
 * @param events primary events, about
 * @param datacenters that join, in one process
 * @param flink the same load is joined by Flink, too
 * @param directory where to make the run's directory; empty: the system's for temporary files
 * @param keep the run's directory stays
 */
public record PipelineBenchOptions(
        int clicksPercent,
        long events,
        int datacenters,
        boolean flink,
        Optional<Path> directory,
        boolean keep) {

    static final long EVENTS_MIN = 1_000;

    /** The generator keeps its answer in memory. */
    static final long EVENTS_MAX = 20_000_000;

    /** What a user has to correct, each as a sentence; empty if nothing. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (clicksPercent != 10 && clicksPercent != 100) {
            problems.add("--clicks is %d: expected 10 or 100".formatted(clicksPercent));
        }
        if (events < EVENTS_MIN || events > EVENTS_MAX) {
            problems.add(
                    "--events is %d: expected from %d to %d"
                            .formatted(events, EVENTS_MIN, EVENTS_MAX));
        }
        if (datacenters != 1 && datacenters != 2) {
            problems.add("--datacenters is %d: expected 1 or 2".formatted(datacenters));
        }
        return problems;
    }

    /** Their names, in the order of the configuration. */
    List<String> datacenterNames() {
        return List.of("east", "west").subList(0, datacenters);
    }
}
