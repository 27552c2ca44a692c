package photon.registry.api;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A datacenter of a pipeline that takes part no more (docs/protocol.md section 1).
 *
 * @param atMicros when, by the clock of the control group's leader; 0: not told
 * @param actor who asked for it, for people
 */
public record RetiredDatacenter(String name, long atMicros, String actor) {
    public static RetiredDatacenter of(photon.proto.v1.RetiredDatacenter retired) {
        return new RetiredDatacenter(
                retired.getDatacenter(), retired.getRetiredMicros(), retired.getActor());
    }

    /** When and by whom, such as {@code at 2026-01-31T10:00:00Z by anna@ops}. */
    public String text() {
        return "at %s by %s"
                .formatted(
                        atMicros == 0
                                ? "a time that is not known"
                                : Instant.EPOCH.plus(atMicros / 1_000_000, ChronoUnit.SECONDS),
                        actor.isEmpty() ? "somebody" : actor);
    }

    /** Why none of its daemons may start, and what to do. */
    public String refusal() {
        return "datacenter %s was retired %s, and does not come back. To join in its place again, choose another name, with state and output directories of its own"
                .formatted(name, text());
    }
}
