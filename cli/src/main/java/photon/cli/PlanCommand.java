package photon.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import photon.core.error.ConfigException;
import photon.server.plan.Plan;
import photon.server.plan.PlanJson;
import photon.server.plan.PlanRequest;
import photon.server.plan.PlanText;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Estimates what a deployment needs. */
@Command(
        name = "plan",
        mixinStandardHelpOptions = true,
        description = {
            "Estimates what a deployment needs for a load: machines, cores, memory, disks, and bandwidth between datacenters.",
            "It calculates from figures that were measured on one kind of machine (docs/sizing.md); the JSON document names each figure with its page. It reads no configuration and asks no server. Measure on your machines with photon bench before you buy."
        },
        exitCodeList = {
            "0:the estimate is on stdout; a note says where it goes beyond what was measured",
            "1:it could not be printed",
            "2:wrong usage"
        },
        footer = {
            "  photon plan --events 100000 --datacenters 3 --retention 2d",
            "  photon plan --events 20000 --clicks 100 --event-size 1KiB --json"
        })
final class PlanCommand implements Callable<Integer> {
    private static final PlanRequest DEFAULTS = PlanRequest.DEFAULTS;
    private static final long EVENTS_MAX = 100_000_000;
    private static final int CLICKS_MAX = 10_000;
    private static final long SIZE_MAX = 8 << 20;
    private static final int DATACENTERS_MAX = 5;
    private static final int CORES_MAX = 1_024;

    @Option(
            names = "--events",
            paramLabel = "N",
            description =
                    "Events per second at the peak, both streams together; default ${DEFAULT-VALUE}.")
    private long events = DEFAULTS.eventsPerSecond();

    @Option(
            names = "--clicks",
            paramLabel = "N",
            description = "Foreign events per hundred primary events; default ${DEFAULT-VALUE}.")
    private int clicks = DEFAULTS.clicks();

    @Option(
            names = "--event-size",
            paramLabel = "SIZE",
            converter = Quantities.OfBytes.class,
            description = "Size of a record, on average; default 200B.")
    private Long eventSize = DEFAULTS.eventBytes();

    @Option(
            names = "--datacenters",
            paramLabel = "N",
            description =
                    "Datacenters that join, from 1 to 5; default ${DEFAULT-VALUE}. Each must be able to join everything alone.")
    private int datacenters = DEFAULTS.datacenters();

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            description = "How late a foreign event may come, the key 'retention'; default 1d.")
    private Duration retention = DEFAULTS.retention();

    @Option(
            names = "--round-trip",
            paramLabel = "DURATION",
            description = "Round-trip time between two datacenters; default 30ms.")
    private Duration roundTrip = DEFAULTS.roundTrip();

    @Option(
            names = "--machine-cores",
            paramLabel = "N",
            description = "Cores of each machine of a datacenter; default ${DEFAULT-VALUE}.")
    private int machineCores = DEFAULTS.machineCores();

    @Mixin private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        check("--events", events, 1, EVENTS_MAX);
        check("--clicks", clicks, 1, CLICKS_MAX);
        check("--event-size", eventSize, 1, SIZE_MAX);
        check("--datacenters", datacenters, 1, DATACENTERS_MAX);
        check("--machine-cores", machineCores, 1, CORES_MAX);
        Plan plan =
                Plan.of(
                        new PlanRequest(
                                events,
                                clicks,
                                eventSize,
                                datacenters,
                                retention,
                                roundTrip,
                                machineCores));
        output.print(() -> PlanText.of(plan), () -> PlanJson.of(plan));
        return CommandLine.ExitCode.OK;
    }

    private static void check(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new ConfigException(
                    "%s is %d: expected a number from %d to %d".formatted(option, value, min, max));
        }
    }
}
