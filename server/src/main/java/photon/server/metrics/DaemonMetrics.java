package photon.server.metrics;

import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import photon.core.time.IntervalClock;
import photon.eventstore.index.IndexFigures;
import photon.eventstore.server.EventStoreStatus;
import photon.joiner.JoinerStatus;
import photon.joiner.adapters.AdapterFigure;
import photon.joiner.incarnation.LifeState;
import photon.storage.ledger.LedgerRetention;
import photon.storage.tail.LogTroubles;
import photon.storage.tail.TailLag;
import photon.verifier.repair.RepairStatus;
import photon.verifier.repair.SilentSlot;
import photon.verifier.repair.WaitingRepair;

/** What the other daemons tell, by their status records. */
public final class DaemonMetrics {
    private DaemonMetrics() {}

    /**
     * Told by every daemon: who it is, and what it has sent.
     *
     * @param pipeline of a registry server: the one of its configuration, though it serves all
     */
    public static MetricSource process(
            String role,
            String pipeline,
            String datacenter,
            String name,
            String version,
            LongSupplier messages) {
        return samples ->
                samples.gauge(
                                "photon_info",
                                "1; who this is, in its labels.",
                                1,
                                "role",
                                role,
                                "pipeline",
                                pipeline,
                                "datacenter",
                                datacenter,
                                "name",
                                name,
                                "version",
                                version)
                        .counter(
                                "photon_messages",
                                "Messages that this process has sent to others, and answers in"
                                        + " streams.",
                                messages.getAsLong());
    }

    public static MetricSource eventStore(Supplier<EventStoreStatus> status, IntervalClock clock) {
        return samples -> {
            EventStoreStatus now = status.get();
            logs(samples, "photon_eventstore", now.unreadSinceMillis(), now.troubles(), clock);
            samples.gauge(
                            "photon_eventstore_primary_events",
                            "Primary events indexed, repeats among them, in earlier lives too.",
                            now.primaryEvents())
                    .counter(
                            "photon_eventstore_events_read",
                            "Primary events read, also those of other event stores' shares.",
                            now.eventsRead())
                    .gauge(
                            "photon_eventstore_bad_records",
                            "Primary records without a usable identity, in earlier lives too.",
                            now.badRecords())
                    .gauge(
                            "photon_eventstore_caught_up",
                            "1 if every log is indexed to its end.",
                            now.caughtUp() ? 1 : 0)
                    .gauge(
                            "photon_eventstore_all_read",
                            "1 if what was logged until some seconds before is indexed, and no log"
                                    + " is away.",
                            now.allRead() ? 1 : 0)
                    .gauge(
                            "photon_eventstore_lag_bytes",
                            "Bytes of the primary logs known to wait unread.",
                            now.lagBytes())
                    .gauge(
                            "photon_eventstore_files",
                            "Positions of primary logs that are kept in memory.",
                            now.files());
            lookups(samples, now);
            logIndex(samples, now.index());
            ledger("photon_eventstore_", samples, now.ledger());
        };
    }

    private static void lookups(Samples samples, EventStoreStatus now) {
        samples.counter("photon_eventstore_lookups", "Keys looked up.", now.lookups())
                .counter(
                        "photon_eventstore_elsewhere",
                        "Keys looked up here in vain that other event stores keep.",
                        now.elsewhere())
                .counter(
                        "photon_eventstore_cache_hits",
                        "Of these, found among the newest events, in memory.",
                        now.index().cacheHits())
                .counter(
                        "photon_eventstore_index_hits",
                        "Of these, found in the index on the disk.",
                        now.index().diskHits())
                .counter(
                        "photon_eventstore_refused",
                        "Keys refused because too much was waiting.",
                        now.refused())
                .gauge(
                        "photon_eventstore_awaited",
                        "Primary events that dispatchers wait for.",
                        now.awaited())
                .counter(
                        "photon_eventstore_arrivals",
                        "Awaited primary events that dispatchers were told of.",
                        now.arrivals());
    }

    /** Of any daemon that has one. */
    static void ledger(String prefix, Samples samples, LedgerRetention.Figures now) {
        samples.gauge(prefix + "ledger_bytes", "Bytes of its ledger on the disk.", now.bytes())
                .gauge(prefix + "ledger_segments", "Files of its ledger.", now.segments())
                .gauge(
                        prefix + "ledger_ended_entries",
                        "Entries of its ledger that retention has taken away, ever.",
                        now.ended());
    }

    private static void logIndex(Samples samples, IndexFigures now) {
        samples.gauge(
                        "photon_eventstore_index_events",
                        "Primary events that the log index holds, repeats among them.",
                        now.events())
                .gauge(
                        "photon_eventstore_index_bytes",
                        "Bytes of the log index on the disk.",
                        now.diskBytes())
                .gauge(
                        "photon_eventstore_index_memory_bytes",
                        "Bytes of memory of the log index.",
                        now.memoryBytes())
                .gauge(
                        "photon_eventstore_index_parts",
                        "Sealed parts of the log index, which a lookup visits.",
                        now.parts())
                .counter(
                        "photon_eventstore_index_expired",
                        "Primary events dropped from the log index behind the retention.",
                        now.expired());
    }

    /** Of any daemon that reads logs. */
    static void logs(
            Samples samples,
            String prefix,
            long unreadSinceMillis,
            LogTroubles troubles,
            IntervalClock clock) {
        samples.gauge(
                        prefix + "_lag_seconds",
                        "How old the oldest event of the logs is, about, that is not read; 0: all"
                                + " is read.",
                        TailLag.seconds(unreadSinceMillis, clock.now().earliestMicros() / 1_000))
                .gauge(
                        prefix + "_unreadable_logs",
                        "Logs that are there and cannot be read on.",
                        troubles.unreadable())
                .gauge(
                        prefix + "_gone_unread_bytes",
                        "Bytes that were not read of logs that have gone within the last hour.",
                        troubles.goneBytes());
    }

    /**
     * @param durableDelays as {@link photon.core.metrics.DelayHistogram#counts}
     */
    public static MetricSource joiner(
            Supplier<JoinerStatus> status, Supplier<? extends Map<Long, Long>> durableDelays) {
        return samples -> {
            JoinerStatus now = status.get();
            samples.gauge(
                            "photon_joiner_serving",
                            "1 if it has a live incarnation and joins.",
                            now.state() == LifeState.SERVING ? 1 : 0)
                    .counter(
                            "photon_joiner_restarts",
                            "Incarnations that ended and were followed by another.",
                            now.restarts())
                    .counter(
                            "photon_joiner_rolls",
                            "Incarnations that were followed by another while they served, as they"
                                    + " do regularly.",
                            now.rolls())
                    .gauge(
                            "photon_joiner_draining",
                            "1 while the incarnation before the serving one finishes what it has.",
                            now.draining().isPresent() ? 1 : 0)
                    .gauge(
                            "photon_joiner_token_bytes",
                            "Memory that knows what became of the tokens of its present"
                                    + " incarnations and the one closed last.",
                            now.tokenBytes());
            joined(now, samples);
            DelayMetrics.way(
                    samples,
                    "photon_joiner_durable_delay_seconds",
                    "From an event's timestamp until its joined event was durable.",
                    durableDelays.get());
        };
    }

    private static void joined(JoinerStatus now, Samples samples) {
        samples.gauge(
                        "photon_joiner_admitted",
                        "Events that wait for their answer.",
                        now.admitted())
                .gauge(
                        "photon_joiner_admitted_bytes",
                        "Their rough size in memory.",
                        now.admittedBytes())
                .gauge(
                        "photon_joiner_commits_in_flight",
                        "Ids from commit sent to output flushed: what a crash could lose until it"
                                + " is repaired.",
                        now.inFlight())
                .counter("photon_joiner_joined", "Events that it joined.", now.joined())
                .counter(
                        "photon_joiner_unmatched",
                        "Of those, events that it joined without their primary event, which did not"
                                + " come in time.",
                        now.unmatched())
                .counter(
                        "photon_joiner_upgraded",
                        "Events that it joined once more, since their primary event had come after"
                                + " all.",
                        now.upgraded())
                .counter(
                        "photon_joiner_joined_elsewhere",
                        "Events answered joined elsewhere.",
                        now.joinedElsewhere())
                .counter(
                        "photon_joiner_wasted_attempts",
                        "Commits that met another incarnation's token.",
                        now.wastedAttempts())
                .counter(
                        "photon_joiner_lookups_moved",
                        "Lookups that went on to another event store, since one had failed.",
                        now.lookupsMoved())
                .counter(
                        "photon_joiner_adapter_failures",
                        "Events at which the adapter threw, took too long, which it rejected, or"
                                + " wants again.",
                        now.adapterFailures())
                .gauge(
                        "photon_joiner_adapter_braked",
                        "1 if the adapter fails for most events: they wait, and none is"
                                + " dead-lettered.",
                        now.adapterBraked() ? 1 : 0)
                .gauge(
                        "photon_joiner_unpublished_records",
                        "Joined events not in a published file yet.",
                        now.unpublishedRecords());
    }

    /** What the adapter counts and times itself. */
    public static MetricSource adapter(Supplier<List<AdapterFigure>> figures) {
        return samples -> {
            for (AdapterFigure figure : figures.get()) {
                String name = "photon_adapter_" + figure.name();
                if (figure instanceof AdapterFigure.Count count) {
                    samples.counter(name, count.help(), count.value(), labels(count.labels()));
                } else if (figure instanceof AdapterFigure.Level level) {
                    samples.gauge(name, level.help(), level.value(), labels(level.labels()));
                } else if (figure instanceof AdapterFigure.Delays delays) {
                    DelayMetrics.stage(
                            samples, name + "_seconds", delays.help(), delays.byMicros());
                }
            }
        };
    }

    private static String[] labels(List<String> namesAndValues) {
        return namesAndValues.toArray(String[]::new);
    }

    public static MetricSource verifier(Supplier<RepairStatus> status) {
        return samples -> {
            RepairStatus now = status.get();
            samples.gauge(
                            "photon_verifier_pending",
                            "Incarnations that ended and are not repaired yet.",
                            now.pending())
                    .gauge(
                            "photon_verifier_stopped",
                            "Incarnations whose repair an alarm stops: a person has to look.",
                            now.stopped())
                    .gauge(
                            "photon_verifier_failing",
                            "Of these, those that have failed often and are tried again all the"
                                    + " same.",
                            now.failing())
                    .gauge(
                            "photon_verifier_waiting",
                            "Repairs that look for events that are not in the foreign logs.",
                            now.waiting().size())
                    .gauge(
                            "photon_verifier_waiting_blocked",
                            "Of these, those that a log or directory that is away keeps waiting.",
                            now.waiting().stream().filter(WaitingRepair::isBlocked).count())
                    .gauge(
                            "photon_verifier_waiting_ids",
                            "Lost events that are looked for.",
                            now.waiting().stream().mapToLong(WaitingRepair::ids).sum())
                    .gauge(
                            "photon_verifier_waiting_seconds",
                            "How long the first of these repairs has looked for them.",
                            now.waiting().stream()
                                    .mapToLong(WaitingRepair::seconds)
                                    .max()
                                    .orElse(0))
                    .counter(
                            "photon_verifier_repaired_events",
                            "Lost events that were handed over to a dispatcher.",
                            now.repairedEvents())
                    .counter(
                            "photon_verifier_outcomes_lost",
                            "Ids found that stay held for good, their events not joined.",
                            now.outcomesLost())
                    .counter(
                            "photon_verifier_full_looks",
                            "Looks that found nothing pending at their end.",
                            now.fullLooks());
            silence(now, samples);
        };
    }

    private static void silence(RepairStatus now, Samples samples) {
        samples.gauge(
                        "photon_verifier_silent",
                        "Live incarnations of this datacenter that have not renewed for long.",
                        now.silence().silent().size())
                .gauge(
                        "photon_verifier_silent_seconds",
                        "How long the longest of these is silent.",
                        now.silence().silent().stream()
                                .mapToLong(SilentSlot::seconds)
                                .max()
                                .orElse(0))
                .counter(
                        "photon_verifier_silent_fenced",
                        "Incarnations that were fenced since they were silent.",
                        now.silence().fenced());
    }
}
