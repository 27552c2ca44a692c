package photon.server.metrics;

import java.util.List;
import java.util.function.Supplier;
import photon.core.time.IntervalClock;
import photon.dispatcher.flow.HeldUp;
import photon.dispatcher.state.DispatcherStatus;

/** What a dispatcher tells: how far it has read, what waits, and what became of its events. */
public final class DispatcherMetrics {
    private static final double MILLIS_PER_SECOND = 1_000;

    private DispatcherMetrics() {}

    public static MetricSource of(Supplier<DispatcherStatus> status, IntervalClock clock) {
        return samples -> {
            DispatcherStatus now = status.get();
            DaemonMetrics.logs(
                    samples, "photon_dispatcher", now.unreadSinceMillis(), now.troubles(), clock);
            samples.counter(
                            "photon_dispatcher_events_read",
                            "Events read from the foreign logs.",
                            now.eventsRead())
                    .counter(
                            "photon_dispatcher_bad_records",
                            "Foreign records without a usable identity.",
                            now.badRecords())
                    .gauge(
                            "photon_dispatcher_caught_up",
                            "1 if the last look found every file read to its end.",
                            now.caughtUp() ? 1 : 0)
                    .gauge(
                            "photon_dispatcher_lag_bytes",
                            "Bytes of the foreign logs known to wait unread.",
                            now.lagBytes());
            waiting(now, samples);
            dispatched(now, samples);
            DaemonMetrics.ledger("photon_dispatcher_", samples, now.ledger());
        };
    }

    /** How old what waits is. */
    public static MetricSource heldUp(Supplier<HeldUp.Rows> rows) {
        return samples -> {
            HeldUp.Rows now = rows.get();
            samples.gauge(
                            "photon_dispatcher_held_up_since_timestamp_seconds",
                            "When the first row of the retry journal came that waits for something"
                                    + " other than its primary event, since 1970; 0: there is none.",
                            now.sinceMillis() / MILLIS_PER_SECOND)
                    .gauge(
                            "photon_dispatcher_held_up_event_timestamp_seconds",
                            "The oldest timestamp of an event of such rows, since 1970; 0: there is"
                                    + " none.",
                            Samples.seconds(now.eventMicros()));
        };
    }

    private static void waiting(DispatcherStatus now, Samples samples) {
        samples.gauge(
                        "photon_dispatcher_in_flight",
                        "Events on their way: looked up, at a joiner, or being written down.",
                        now.inFlight())
                .gauge(
                        "photon_dispatcher_ready",
                        "Of these, events that wait for a place on the way.",
                        now.ready())
                .gauge(
                        "photon_dispatcher_held",
                        "Events that wait for another datacenter's turn.",
                        now.held())
                .gauge(
                        "photon_dispatcher_gated",
                        "Events that wait for the event store to read as far.",
                        now.gated())
                .gauge(
                        "photon_dispatcher_waiting_rows",
                        "Rows of the retry journal that wait, most for their primary event.",
                        now.waitingRows())
                .gauge(
                        "photon_dispatcher_processing_rows",
                        "Rows of the retry journal that are on their way.",
                        now.processingRows())
                .gauge(
                        "photon_dispatcher_unsettled",
                        "Events and rows neither settled nor just waiting.",
                        now.unsettled())
                .gauge(
                        "photon_dispatcher_files",
                        "Positions of foreign logs that the checkpoint keeps.",
                        now.files())
                .gauge(
                        "photon_dispatcher_journal_memory_bytes",
                        "Heap that waiting rows of the retry journal take, about.",
                        now.journalBytes());
    }

    private static void dispatched(DispatcherStatus now, Samples samples) {
        samples.counter(
                        "photon_dispatcher_woken",
                        "Retry rows tried at once, since their primary event had come.",
                        now.woken())
                .counter("photon_dispatcher_sent", "Attempts handed to joiners.", now.sent())
                .counter(
                        "photon_dispatcher_joined",
                        "Attempts that a joiner answered with joined.",
                        now.joined())
                .counter(
                        "photon_dispatcher_already_joined",
                        "Events that somebody else had joined.",
                        now.alreadyJoined())
                .gauge(
                        "photon_dispatcher_watched_rows",
                        "Rows of events joined without their primary event, which may come.",
                        now.watchedRows())
                .counter(
                        "photon_dispatcher_late_primaries",
                        "Primary events that came after their event had been joined without.",
                        now.latePrimaries())
                .counter(
                        "photon_dispatcher_unwatched",
                        "Events joined without their primary event that are not watched, since too"
                                + " many are.",
                        now.unwatched())
                .counter(
                        "photon_dispatcher_skipped",
                        "Events too old or filtered, written to the ledger.",
                        now.skipped())
                .counter(
                        "photon_dispatcher_too_late",
                        "Of these, events that came too late to be joined, or that something other"
                                + " than a missing primary event held up until it was too late.",
                        now.tooLate())
                .counter(
                        "photon_dispatcher_dead_lettered",
                        "Events that cannot be joined, written to the ledger.",
                        now.deadLettered())
                .counter(
                        "photon_dispatcher_outcome_lost",
                        "Events of which nobody can tell whether they are joined, written to the"
                                + " ledger.",
                        now.outcomeLost())
                .counter(
                        "photon_dispatcher_repair_rows",
                        "Lost events that a verifier handed over.",
                        now.repairRows());
    }

    /**
     * The partitions of the logs that it works on.
     *
     * @param count how many there are
     */
    public static MetricSource partitions(Supplier<List<Integer>> worked, int count) {
        return samples ->
                samples.gauge(
                                "photon_dispatcher_partitions",
                                "Partitions of the foreign logs that the dispatcher works on.",
                                worked.get().size())
                        .gauge(
                                "photon_dispatcher_partitions_of",
                                "Partitions of the foreign logs in all.",
                                count);
    }
}
