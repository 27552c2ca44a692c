package photon.adapter;

import java.util.Set;

/**
 * What Photon gives an adapter: everything that it may use besides the JDK and the libraries in its
 * own jars. Thread-safe. Implemented by Photon and by the test kit only; a later minor version may
 * add methods.
 *
 * @since 1.1
 */
public interface AdapterContext {
    /** The pipeline's name. */
    String pipeline();

    /** The datacenter that this instance joins in. An adapter must not join by it. */
    String datacenter();

    /** {@code adapter.options} of the configuration, to be read in {@link Adapter#start}. */
    AdapterOptions options();

    /** Writes into Photon's log. */
    System.Logger logger();

    /**
     * A number that only grows, at {@code /metrics} as {@code photon_adapter_NAME_total}. It counts
     * calls, not joined events: an adapter may be called several times for one event.
     *
     * @param name small letters, digits and '_', beginning with a letter; at most 60
     * @param help one sentence
     * @throws IllegalArgumentException if the name is none, if a timer has it, or if there are 50
     *     counters and timers already
     */
    Counter counter(String name, String help);

    /**
     * How long something took, at {@code /metrics} as the histogram {@code
     * photon_adapter_NAME_seconds}.
     *
     * @param name as in {@link #counter}
     * @param help one sentence
     * @throws IllegalArgumentException as in {@link #counter}
     */
    Timer timer(String name, String help);

    /** What this run offers. */
    Set<Capability> capabilities();

    /** What a run may offer: nothing else is promised. A later minor version may add some. */
    enum Capability {
        /** Counters and timers can be seen at {@code /metrics}; otherwise they count in vain. */
        METRICS,
        /** A pair that the adapter wants again comes again; in a trial it does not. */
        RETRY,
        /** What is emitted is written; in a trial it is only shown. */
        OUTPUT
    }

    /** Counts without making an object. Thread-safe. */
    interface Counter {
        void add(long count);

        /** One more. */
        default void increment() {
            add(1);
        }
    }

    /** Records without making an object. Thread-safe. */
    interface Timer {
        void record(long nanos);
    }
}
