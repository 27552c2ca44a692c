package photon.demo.generate;

import photon.core.id.EventId;

/** Hears of each foreign event that can be joined from now on. Called by the generator's thread. */
@FunctionalInterface
public interface JoinableListener {
    /**
     * Both records of a pair stand in logs that readers can see.
     *
     * @param foreign the event's id
     * @param foreignText as the output writes it
     * @param appendedMicros when the later of the two was seen in a log, by the run's clock
     */
    void joinable(EventId foreign, String foreignText, long appendedMicros);
}
