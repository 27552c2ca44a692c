package photon.server.roles;

import java.io.IOException;
import photon.core.config.PipelineConfig;
import photon.core.crash.CrashPoints;
import photon.core.error.ConfigException;
import photon.core.time.IntervalClock;
import photon.server.datacenters.DatacenterPaths;
import photon.storage.files.FileStore;
import photon.storage.format.IdentityFingerprint;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.format.OutputFormats;

/** Opens what a datacenter has published, for who reads it when all its daemons have ended. */
public final class WrittenOutput {
    private WrittenOutput() {}

    /**
     * @throws ConfigException if nothing was ever published there, or not by this pipeline
     */
    public static OutputDirectory open(
            PipelineConfig config, FileStore files, DatacenterPaths paths, IntervalClock clock)
            throws IOException {
        PipelineIdentity identity =
                PipelineIdentity.read(files, paths.shared())
                        .orElseThrow(
                                () ->
                                        new ConfigException(
                                                "Expected the state of "
                                                        + paths.datacenter()
                                                        + " in "
                                                        + paths.shared()
                                                        + ", but identity.json is not there: no daemon has ever run on it, or a copy of the file is to be brought back"));
        return OutputDirectory.open(
                files,
                paths.outputDirectory(),
                new OutputIdentity(
                        identity.uuid().toString(),
                        IdentityFingerprint.of(config),
                        paths.datacenter(),
                        identity.uuid().toString()),
                OutputFormats.of(config.output()),
                CrashPoints.none(),
                clock);
    }
}
