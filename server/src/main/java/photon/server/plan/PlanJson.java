package photon.server.plan;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A plan as one JSON object, with the figures that it is calculated from. */
public final class PlanJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PlanJson() {}

    /** Ends with a line feed. */
    public static String of(Plan plan) {
        ObjectNode root = JSON.createObjectNode();
        PlanRequest request = plan.request();
        root.putObject("request")
                .put("eventsPerSecond", request.eventsPerSecond())
                .put("foreignPer100Primary", request.clicks())
                .put("eventBytes", request.eventBytes())
                .put("datacenters", request.datacenters())
                .put("retentionSeconds", request.retention().toSeconds())
                .put("roundTripMillis", request.roundTrip().toMillis())
                .put("machineCores", request.machineCores());
        root.put("machines", plan.machines());
        root.putObject("registry")
                .put("servers", plan.registryServers())
                .put("thirdPlace", plan.thirdPlace())
                .put("shards", plan.shards())
                .put("coresEach", plan.registry().cores())
                .put("heapBytesEach", Math.round(plan.registry().heapBytes()))
                .put("diskBytesEach", Math.round(plan.registry().diskBytes()))
                .put("idsHeld", Math.round(plan.registry().idsHeld()));
        Plan.Datacenter datacenter = plan.datacenter();
        root.putObject("datacenter")
                .put("machines", datacenter.machines())
                .put("cores", datacenter.cores())
                .put("heapBytes", Math.round(datacenter.heapBytes()))
                .put("eventStores", datacenter.eventStores())
                .put("eventStoreHeapBytes", Math.round(datacenter.storeHeapBytes()))
                .put("eventStoreDiskBytes", Math.round(datacenter.storeDiskBytes()))
                .put("outputBytesPerDay", Math.round(datacenter.outputBytesPerDay()));
        root.putObject("network")
                .put("logsIntoEachBitsPerSecond", Math.round(plan.network().logsIntoEach()))
                .put(
                        "commitsOutOfLeaderBitsPerSecond",
                        Math.round(plan.network().commitsOutOfLeader()))
                .put(
                        "commitsIntoLeaderBitsPerSecond",
                        Math.round(plan.network().commitsIntoLeader()));
        root.put("commitMillis", plan.commitMillis());
        root.put("eventsInFlightMax", plan.eventsInFlightMax());
        plan.notes().forEach(root.putArray("notes")::add);
        ArrayNode figures = root.putArray("figures");
        for (Figure figure : Figure.values()) {
            figures.addObject()
                    .put("name", figure.key())
                    .put("value", figure.value())
                    .put("meaning", figure.meaning())
                    .put("page", figure.page())
                    .put("quoted", figure.quoted());
        }
        return root.toPrettyString() + "\n";
    }
}
