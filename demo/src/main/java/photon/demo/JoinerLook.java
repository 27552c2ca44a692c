package photon.demo;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import photon.core.id.Incarnation;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/** What joiners say of themselves. */
final class JoinerLook {
    private final Fleet fleet;

    JoinerLook(Fleet fleet) {
        this.fleet = fleet;
    }

    /** As whom it writes now. While it rolls it has two: what either had not written is lost. */
    List<Kills.KilledJoiner> asKilled(ProcessName joiner, long nowMillis) {
        return Stream.of("draining", "incarnation")
                .flatMap(key -> incarnation(joiner, key).stream())
                .map(
                        incarnation ->
                                new Kills.KilledJoiner(joiner.datacenter(), incarnation, nowMillis))
                .toList();
    }

    private Optional<Incarnation> incarnation(ProcessName joiner, String key) {
        return fleet.status(joiner)
                .map(line -> line.status().path(key).asText(""))
                .filter(text -> !text.isEmpty() && !text.equals("null"))
                .map(Incarnation::parse);
    }

    boolean serves(ProcessName joiner) {
        return fleet.alive(joiner)
                && fleet.status(joiner)
                        .filter(line -> line.status().path("state").asText().equals("SERVING"))
                        .isPresent();
    }
}
