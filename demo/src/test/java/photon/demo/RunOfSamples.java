package photon.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import photon.demo.DemoEvent.Kind;

/** A demo of 90 seconds as it may go: east is killed at 30 s and returns at 60 s. */
final class RunOfSamples {
    static final List<DemoEvent> EVENTS =
            List.of(
                    new DemoEvent(30_000, "east killed", Kind.KILL),
                    new DemoEvent(30_900, "leader of shard 1 moved to west in 0.9 s", Kind.LEADER),
                    new DemoEvent(31_400, "west carries all", Kind.INFO),
                    new DemoEvent(60_000, "east is back", Kind.RETURN),
                    new DemoEvent(64_000, "repaired 37", Kind.INFO));

    private RunOfSamples() {}

    /** One each 200 ms. */
    static List<DemoSample> until(long endMillis) {
        List<DemoSample> samples = new ArrayList<>();
        long east = 0;
        long west = 0;
        for (long at = 0; at <= endMillis; at += 200) {
            boolean down = at >= 30_000 && at < 60_000;
            east += down ? 0 : 200;
            west += at >= 31_400 && at < 61_000 ? 400 : 200;
            long eastLag = down ? at - 30_000 : Math.max(150, 30_000 - 6 * (at - 60_000));
            eastLag = at < 30_000 ? 150 : eastLag;
            samples.add(
                    new DemoSample(
                            at,
                            Map.of(
                                    "east",
                                    new DatacenterSample(!down, 2 * east, east, 120, 0, eastLag),
                                    "west",
                                    new DatacenterSample(true, 2 * east, west, 130, 0, 180)),
                            new RegistrySample(
                                    Map.of(
                                            "control",
                                            "west/r1",
                                            "demo/1/0",
                                            "west/r3",
                                            "demo/1/1",
                                            down ? "" : "east/r0"),
                                    2_010,
                                    down ? 3 : 5),
                            east + west,
                            0,
                            east + west + 250,
                            down ? 37 : 0));
        }
        return samples;
    }
}
