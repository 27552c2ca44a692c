package photon.server.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import photon.registry.api.RetiredDatacenter;
import photon.server.datacenters.DatacenterPaths;
import photon.server.roles.Environment;
import photon.server.roles.OpenedPipeline;
import photon.server.roles.Roles;
import photon.storage.files.FileStore;
import photon.storage.output.OutputDirectory;
import photon.verifier.books.DatacenterRecords;
import photon.verifier.books.RetiredDatacenterRecords;

/** What the retired datacenters of a local pipeline have published, for its books. */
final class RetiredOutputs {
    private final List<DatacenterRecords> records = new ArrayList<>();
    private final List<String> alarms = new ArrayList<>();

    private RetiredOutputs() {}

    static RetiredOutputs read(
            OpenedPipeline pipeline,
            Roles roles,
            Environment environment,
            Path state,
            String output)
            throws IOException {
        RetiredOutputs outputs = new RetiredOutputs();
        for (RetiredDatacenter retired : pipeline.held().retired()) {
            DatacenterPaths paths = DatacenterPaths.of(retired.name(), state, output);
            FileStore files = environment.files();
            if (OutputDirectory.identity(files, paths.outputDirectory()).isPresent()) {
                outputs.records.add(
                        new RetiredDatacenterRecords(
                                LocalBooks.stored(paths, files, roles.output(paths, pipeline))));
            } else {
                outputs.alarms.add(
                        "datacenter %s was retired, and its output %s is not there: put it back, what it has joined counts"
                                .formatted(retired.name(), paths.outputDirectory()));
            }
        }
        return outputs;
    }

    List<DatacenterRecords> records() {
        return records;
    }

    /** Of those that are missing. */
    List<String> alarms() {
        return alarms;
    }
}
