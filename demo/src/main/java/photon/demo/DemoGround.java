package photon.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import photon.core.config.HadoopConfig;
import photon.demo.generate.LogStore;
import photon.demo.hdfs.CarriedLogs;
import photon.demo.hdfs.HdfsJar;
import photon.demo.hdfs.HdfsServers;
import photon.storage.files.FileStore;
import photon.storage.files.HadoopFileStore;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/** What a demo stands on: local files, or the HDFS of each datacenter, which it starts and ends. */
final class DemoGround implements AutoCloseable {
    private static final int MACHINES = 2;

    private final Optional<HdfsServers> hdfs;
    private final DemoPlaces places;
    private final FileStore files;
    private Optional<CarriedLogs> carried = Optional.empty();

    private DemoGround(Optional<HdfsServers> hdfs, DemoPlaces places, FileStore files) {
        this.hdfs = hdfs;
        this.places = places;
        this.files = files;
    }

    static DemoGround local(FileStore files) {
        return new DemoGround(Optional.empty(), DemoPlaces.LOCAL, files);
    }

    /**
     * Starts nothing yet.
     *
     * @param work the demo's directory
     * @param home where the repository stands
     */
    static DemoGround hdfs(Path work, Path home, RandomGenerator random) throws IOException {
        HdfsServers servers =
                new HdfsServers(
                        work.resolve("hdfs"), HdfsJar.find(home), DemoLayout.DATACENTERS, random);
        DemoPlaces places = new DemoPlaces(MACHINES, servers.uris(), HdfsServers.clientSettings());
        return new DemoGround(
                Optional.of(servers),
                places,
                new HadoopFileStore(new HadoopConfig(places.hadoop(), Optional.empty())));
    }

    DemoPlaces places() {
        return places;
    }

    FileStore files() {
        return files;
    }

    /** Of HDFS; empty: all is local. */
    Optional<Fleet> servers() {
        return hdfs.map(HdfsServers::fleet);
    }

    /** Returns when it can be stood on. */
    void start(Runnable pause, Consumer<List<ProcessName>> told) throws IOException {
        if (hdfs.isPresent()) {
            FleetStart.all(hdfs.get().fleet(), hdfs.get().processes(), pause, told);
            for (String logs : places.logs().values()) {
                files.createDirectories(logs + "/primary");
                files.createDirectories(logs + "/foreign");
            }
        }
    }

    /** How many processes it has of its own. */
    int processes() {
        return hdfs.map(servers -> servers.processes().size()).orElse(0);
    }

    /**
     * Where a load writes, once.
     *
     * @param root its own directory
     */
    LogStore logs(Path root) {
        if (places.areLocal()) {
            return LogStore.of(files);
        }
        CarriedLogs logs = new CarriedLogs(files, root, List.copyOf(places.logs().values()));
        carried = Optional.of(logs);
        return logs;
    }

    @Override
    public void close() {
        carried.ifPresent(CarriedLogs::close);
        hdfs.ifPresent(HdfsServers::close);
    }
}
