package photon.simulation.faults;

import java.time.Duration;
import java.util.List;
import photon.simulation.disk.DiskFaults;
import photon.simulation.kernel.HostClock;
import photon.simulation.kernel.Timeline;
import photon.simulation.network.Links;

/** What the injector can reach of a world. */
public interface Scene {
    Timeline timeline();

    Links links();

    /** Registry servers and all processes of all datacenters, in a fixed order. */
    List<Victim> victims();

    List<String> datacenters();

    DiskFaults disk(String datacenter);

    /** All processes of the datacenter end, what was not synced is lost; supervisors start them. */
    void losePower(String datacenter);

    /** For so long this process does not see some of its datacenter's published files. */
    void hideFiles(Victim process, Duration length);

    /** The datacenter's processes end and are not started again for so long. */
    void outage(String datacenter, Duration length);

    /** The clocks of all machines. */
    List<HostClock> clocks();

    /** Which of them moves the boundary. */
    int keepersClock();

    /** Some group gets another leader, if a majority can be had. */
    void changeLeader();

    /** All groups do. */
    void changeLeaders();

    /** This server's replicas apply nothing for so long. */
    void lag(Victim registryServer, Duration length);

    /** Begins as many attempts at another number of shards, all from the map that stands. */
    void reshard(int attempts);
}
