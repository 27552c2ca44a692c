package photon.demo.chaos;

import java.time.Duration;

/** What can happen to one datacenter of a pipeline. */
public enum PipelineFault {
    /** SIGKILL to a joiner, which nobody starts again for longer than a repair needs. */
    KILL_JOINER("kill-joiner", 3, 45, 75),
    /** SIGKILL to a joiner, which is started again at once, as a supervisor does. */
    RESTART_JOINER("restart-joiner", 3, 0, 2),
    /** SIGSTOP to a joiner, then SIGCONT: it has missed its own fence. */
    PAUSE_JOINER("pause-joiner", 3, 2, 60),
    /** SIGKILL to the dispatcher. */
    KILL_DISPATCHER("kill-dispatcher", 2, 0, 15),
    /** SIGSTOP to the dispatcher, then SIGCONT. */
    PAUSE_DISPATCHER("pause-dispatcher", 1, 2, 20),
    /** SIGKILL to the event store. */
    KILL_EVENT_STORE("kill-event-store", 2, 0, 15),
    /** SIGKILL to the verifier. */
    KILL_VERIFIER("kill-verifier", 2, 0, 15),
    /** SIGSTOP to the verifier, then SIGCONT: it may be in the middle of a repair. */
    PAUSE_VERIFIER("pause-verifier", 1, 2, 20),
    /** SIGKILL to a replica of the registry. */
    KILL_REPLICA("kill-replica", 2, 0, 20),
    /** The volume with the logs is unmounted: their directory is not there, or empty. */
    LOGS_AWAY("logs-away", 3, 2, 30),
    /** The dispatcher's disk is lost, and an operator declares its state lost. */
    STATE_LOST("state-lost", 1, 2, 10),
    /** SIGKILL to all of a datacenter, replicas of the registry among them. */
    KILL_DATACENTER("kill-datacenter", 1, 5, 30);

    private final String label;
    private final int weight;
    private final Duration holdMin;
    private final Duration holdMax;

    PipelineFault(String label, int weight, int holdSecondsMin, int holdSecondsMax) {
        this.label = label;
        this.weight = weight;
        this.holdMin = Duration.ofSeconds(holdSecondsMin);
        this.holdMax = Duration.ofSeconds(holdSecondsMax);
    }

    /** As in results. */
    public String label() {
        return label;
    }

    /** How often it comes, against the others. */
    int weight() {
        return weight;
    }

    /** The shortest time until it is undone. */
    Duration holdMin() {
        return holdMin;
    }

    /** The longest time until it is undone. */
    Duration holdMax() {
        return holdMax;
    }
}
