package photon.server.health;

import java.util.function.Function;
import photon.core.rpc.Caller;

/**
 * Asks a peer now and then, also when there is no work for it. Owned by the monitor's loop.
 *
 * @param <Q> question
 * @param <R> answer
 */
final class PeerProbe<Q, R> {
    private final PeerState state;
    private final Caller<Q, R> caller;
    private final Q question;
    private final Function<R, String> trouble;

    /**
     * @param caller whose calls always end
     * @param question changes nothing, and costs the peer next to nothing
     * @param trouble why a peer that answers so cannot do its work; empty: it can
     */
    PeerProbe(PeerState state, Caller<Q, R> caller, Q question, Function<R, String> trouble) {
        this.state = state;
        this.caller = caller;
        this.question = question;
        this.trouble = trouble;
    }

    void askIfDue(long nowNanos) {
        if (!state.isDue(nowNanos)) {
            return;
        }
        state.asked(nowNanos);
        caller.call(
                question,
                new Caller.Reply<>() {
                    @Override
                    public void answered(R answer) {
                        String why = trouble.apply(answer);
                        if (why.isEmpty()) {
                            state.answered();
                        } else {
                            state.failed(state.address() + " " + why);
                        }
                    }

                    @Override
                    public void broken(String why) {
                        state.failed(withoutDetails(why));
                    }
                });
    }

    /** gRPC puts a paragraph into its brackets. */
    private static String withoutDetails(String why) {
        int details = why.indexOf(" (");
        return details < 0 ? why : why.substring(0, details);
    }
}
