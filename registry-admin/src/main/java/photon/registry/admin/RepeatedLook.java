package photon.registry.admin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;

/**
 * Asks a registry's servers what they know, again and again until it is enough: those that answer
 * do so at once, but a machine may stand still for some seconds.
 */
public final class RepeatedLook {
    /** For each server, in one look: who has not answered by then is asked again. */
    private static final Duration EACH_MAX = Duration.ofSeconds(3);

    /** Between two looks: a server that is not there says so at once. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private RepeatedLook() {}

    /**
     * Until at least one server answers.
     *
     * @param security how servers are reached
     * @param patience after it no further look is begun
     * @return what the last look has brought, perhaps no answer
     */
    public static List<StatusPoll.Answer> untilOneAnswers(
            List<HostPort> servers, RpcSecurity security, Duration patience) {
        return until(
                each -> new StatusPoll(each, security).ask(servers),
                patience,
                answers -> answers.stream().anyMatch(answer -> answer.server().isPresent()));
    }

    /** Until all that are known to be the registry's answer, those too that only others name. */
    public static RegistryView untilAllAnswer(
            List<HostPort> servers, RpcSecurity security, Duration patience) {
        return until(
                each -> RegistryView.of(new StatusPoll(each, security).ask(servers)),
                patience,
                view -> view.servers().stream().allMatch(RegistryView.Server::answers));
    }

    /**
     * @param look is told how long it may wait for each server
     */
    public static <T> T until(Function<Duration, T> look, Duration patience, Predicate<T> enough) {
        // The last one, too, is whole: cut short it would take away what the one before has seen.
        Duration each = patience.compareTo(EACH_MAX) < 0 ? patience : EACH_MAX;
        long start = System.nanoTime();
        T seen = look.apply(each);
        while (!enough.test(seen)
                && System.nanoTime() - start + PAUSE.toNanos() < patience.toNanos()) {
            LockSupport.parkNanos(PAUSE.toNanos());
            seen = look.apply(each);
        }
        return seen;
    }
}
