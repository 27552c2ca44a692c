package photon.simulation.run;

import java.util.LinkedHashMap;
import java.util.Map;
import photon.proto.v1.ListIncarnationsResponse;
import photon.proto.v1.Progress;
import photon.simulation.faults.Triggers;
import photon.simulation.kernel.Life;
import photon.simulation.network.Network;

/** Calls between processes, for faults that wait for one. */
final class WatchedCalls implements Network.Observer {
    private final Triggers triggers;
    private final Map<String, Runnable> afterAnswers = new LinkedHashMap<>();
    private long listings;

    WatchedCalls(Triggers triggers) {
        this.triggers = triggers;
    }

    /** From now on, until another task takes its place. */
    void afterAnswers(String method, String clientHost, Runnable task) {
        afterAnswers.put(key(method, clientHost), task);
    }

    private static String key(String method, String clientHost) {
        return method + " " + clientHost;
    }

    @Override
    public void called(Life server, String method) {
        triggers.called(server, method);
    }

    /** Lists of incarnations that the control group has answered so far, to whomever. */
    long listings() {
        return listings;
    }

    @Override
    public void answered(String method, String clientHost, Object answer) {
        if (answer instanceof ListIncarnationsResponse list
                && list.getProgress() == Progress.DECIDED) {
            listings++;
        }
        Runnable task = afterAnswers.get(key(method, clientHost));
        if (task != null) {
            task.run();
        }
    }
}
