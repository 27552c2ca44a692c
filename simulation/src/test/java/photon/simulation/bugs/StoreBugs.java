package photon.simulation.bugs;

import java.util.List;

/** Rules of several event stores in a datacenter. */
final class StoreBugs {
    private static final String LOOKUPS = JoinerBugs.JOINER + "task/PrimaryLookups.java";

    private StoreBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.below(
                                    "miss-of-a-store-that-is-behind-counts",
                                    7,
                                    "a miss of an event store that is behind is asked for at the next one")
                            .edit(
                                    LOOKUPS,
                                    "&& (elsewhere || answer.getBehind() || permitted)",
                                    "&& (elsewhere || permitted)"),
                    PlantedBug.below(
                                    "event-of-another-share-is-a-miss",
                                    7,
                                    "an event store says so of what others keep, and never that all is read")
                            .edit(
                                    "eventstore/src/main/java/photon/eventstore/lookup/PrimaryLookupRule.java",
                                    "return share.holds(key) ? NOT_YET : ELSEWHERE;",
                                    "return share.holds(key) ? NOT_YET : NOT_YET;"),
                    PlantedBug.of(
                                    "gained-share-is-not-rebuilt",
                                    7,
                                    "an index is built anew where its event store keeps more than before",
                                    Check.I2)
                            .edit(
                                    "eventstore/src/main/java/photon/eventstore/index/IndexSettings.java",
                                    "was.get().holdsAllOf(is.get())",
                                    "!was.get().text().isEmpty()"),
                    PlantedBug.below(
                                    "silent-store-is-waited-for",
                                    7,
                                    "what an event store does not answer in time is asked of the next one")
                            .edit(
                                    LOOKUPS,
                                    "(attempt.isAnswered() || moveOn(attempt))",
                                    "attempt.isAnswered()"),
                    PlantedBug.below(
                                    "failed-store-is-asked-first",
                                    7,
                                    "an event store that has failed is asked last for a while")
                            .edit(
                                    JoinerBugs.JOINER + "rules/StoreRoutes.java",
                                    "nowNanos - avoidedUntilNanos[store] < 0;",
                                    "nowNanos - avoidedUntilNanos[store] < -(1L << 60);"),
                    PlantedBug.below(
                                    "dead-store-counts-against-the-event",
                                    7,
                                    "that an event store is away counts against no event")
                            .edit(
                                    LOOKUPS,
                                    "listener.notFound(attempt, Status.WAITING_FOR_PRIMARY, reason);",
                                    "listener.notFound(attempt, Status.RETRY_EVENT, reason);"),
                    PlantedBug.below(
                                    "gate-passes-what-no-store-has-read",
                                    7,
                                    "the gate passes only what one of its event stores has read")
                            .edit(
                                    DispatcherBugs.DISPATCHER + "rules/StoreFrontiers.java",
                                    "copies - 1 - (told.length - answering)",
                                    "copies - 1"),
                    PlantedBug.below(
                                    "backlog-passes-by-the-live-frontier",
                                    7,
                                    "the gate passes by the live frontier only what the event store reads live")
                            .edit(
                                    DispatcherBugs.DISPATCHER + "rules/Frontier.java",
                                    "return hasBacklog() && micros >= liveFromMicros;",
                                    "return hasBacklog();"),
                    PlantedBug.below(
                                    "awaited-of-a-broken-session-not-asked-again",
                                    7,
                                    "what a broken session was asked for is asked for again")
                            .edit(
                                    DispatcherBugs.FLOW + "WakeUps.java",
                                    "(waiting.asked &= others) == 0",
                                    "(waiting.asked & others) == 0"));
}
