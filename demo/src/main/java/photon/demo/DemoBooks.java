package photon.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import photon.core.config.ConfigLoader;
import photon.core.config.PipelineConfig;
import photon.core.id.EventId;
import photon.core.time.IntervalClock;
import photon.core.time.SystemClock;
import photon.demo.hdfs.CopyOut;
import photon.server.datacenters.DatacenterPaths;
import photon.server.local.LocalBooks;
import photon.server.local.PipelineJson;
import photon.server.roles.WrittenOutput;
import photon.storage.files.FileStore;
import photon.storage.output.OutputDirectory;
import photon.verifier.repair.RepairRecords;

/** What a run of processes has come to, read back from its files when all of them have ended. */
public final class DemoBooks {
    /** One machine, one clock: its error against itself. */
    private static final Duration CLOCK_BOUND = Duration.ofMillis(10);

    private final DemoLayout layout;
    private final FileStore files;

    public DemoBooks(DemoLayout layout, FileStore files) {
        this.layout = layout;
        this.files = files;
    }

    /**
     * @param alarms of repairs that need a person
     */
    public LocalBooks read(LocalBooks.Costs costs, List<String> alarms) throws IOException {
        PipelineConfig config = ConfigLoader.load(layout.config(DemoLayout.EAST)).pipeline();
        IntervalClock clock = new SystemClock(CLOCK_BOUND);
        List<DatacenterPaths> paths = new ArrayList<>();
        List<OutputDirectory> outputs = new ArrayList<>();
        for (String datacenter : DemoLayout.DATACENTERS) {
            DatacenterPaths own = layout.paths(datacenter);
            paths.add(own);
            outputs.add(WrittenOutput.open(config, files, own, clock));
        }
        writeForTheAuditor(config);
        return LocalBooks.read(
                config, files, clock, paths, outputs, layout.states(), costs, alarms);
    }

    /**
     * Of each killed joiner that had lost something: from its death to the publication of the last
     * event that it had lost, by what the verifier has written down.
     */
    List<Double> repairSeconds(Collection<Kills.KilledJoiner> killed, OutputWatch output)
            throws IOException {
        List<Double> seconds = new ArrayList<>();
        for (Kills.KilledJoiner joiner : killed) {
            RepairRecords records =
                    new RepairRecords(files, layout.paths(joiner.datacenter()).verifier());
            OptionalDouble longest = longest(records, joiner, output);
            if (longest.isPresent()) {
                seconds.add(longest.getAsDouble());
            }
        }
        return seconds;
    }

    private static OptionalDouble longest(
            RepairRecords records, Kills.KilledJoiner joiner, OutputWatch output)
            throws IOException {
        long last = -1;
        for (EventId id : records.read(joiner.incarnation()).keySet()) {
            OptionalLong seen = output.firstSeenMillis(id);
            // One that is published nowhere is in the books, as lost.
            last = Math.max(last, seen.orElse(-1));
        }
        return last < 0 ? OptionalDouble.empty() : OptionalDouble.of(seconds(joiner, last));
    }

    private static double seconds(Kills.KilledJoiner joiner, long publishedMillis) {
        return Math.max(0, publishedMillis - joiner.atMillis()) / 1e3;
    }

    /** It reads local files: of what is elsewhere it gets a copy. */
    private void writeForTheAuditor(PipelineConfig config) throws IOException {
        DemoPlaces places = layout.places();
        if (places.areLocal()) {
            PipelineJson.write(config, layout.outputs().toString(), layout.states());
            return;
        }
        CopyOut copy = new CopyOut(files);
        // One datacenter's: the other's are another copy of the same.
        copy.copy(places.logs(DemoLayout.EAST), layout.logs());
        for (String datacenter : DemoLayout.DATACENTERS) {
            copy.copy(layout.paths(datacenter).outputDirectory(), layout.output(datacenter));
        }
        Path text = layout.work().resolve("copied.yaml");
        Files.writeString(
                text,
                "pipeline: %s\ndatacenters: [%s]\n%s"
                        .formatted(
                                DemoLayout.PIPELINE,
                                String.join(", ", DemoLayout.DATACENTERS),
                                DemoRun.STREAMS));
        PipelineJson.write(
                ConfigLoader.load(text).pipeline(), layout.outputs().toString(), layout.states());
    }

    /**
     * @return the auditor's word
     */
    public DemoFigures.Audit audit(Path home) throws IOException {
        return Auditor.audit(
                home, layout.outputs(), layout.states(), layout.work().resolve("audit.txt"));
    }
}
