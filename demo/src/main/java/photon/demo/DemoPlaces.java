package photon.demo;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where a demo has what the machines of a datacenter share, and how many machines a datacenter has.
 * Immutable.
 *
 * @param machines in each datacenter: each has a dispatcher, an event store, and a directory for
 *     what it does not share
 * @param hdfs of each datacenter the URI of its HDFS, without a slash at the end; empty: all is in
 *     the demo's directory
 * @param hadoop what a client of these has to be told
 */
public record DemoPlaces(int machines, Map<String, String> hdfs, Map<String, String> hadoop) {
    /** One machine a datacenter, and local files. */
    public static final DemoPlaces LOCAL = new DemoPlaces(1, Map.of(), Map.of());

    public DemoPlaces {
        hdfs = Map.copyOf(hdfs);
        hadoop = Map.copyOf(hadoop);
        if (machines > 1 && hdfs.isEmpty()) {
            throw new IllegalArgumentException("Expected something that the machines share");
        }
    }

    public boolean areLocal() {
        return hdfs.isEmpty();
    }

    /** Of a datacenter with an HDFS. */
    String logs(String datacenter) {
        return hdfs.get(datacenter) + "/logs";
    }

    String shared(String datacenter) {
        return hdfs.get(datacenter) + "/photon/shared";
    }

    String outputs(String datacenter) {
        return hdfs.get(datacenter) + "/photon/out";
    }

    /** Of each datacenter where its logs are. */
    Map<String, String> logs() {
        Map<String, String> all = new LinkedHashMap<>();
        hdfs.keySet().stream()
                .sorted()
                .forEach(datacenter -> all.put(datacenter, logs(datacenter)));
        return all;
    }
}
