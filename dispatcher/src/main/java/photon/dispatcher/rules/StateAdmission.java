package photon.dispatcher.rules;

import java.util.Optional;
import java.util.UUID;

/**
 * Decides with which state a dispatcher starts: only with the one that the registry has registered
 * for its datacenter (docs/protocol.md section 7). An absent state is never taken for a new one:
 * its repair rows would be gone while the registry calls their incarnations repaired.
 */
public final class StateAdmission {
    private StateAdmission() {}

    /** What comes of it. */
    public sealed interface Decision {}

    /** Start with the state that is here. */
    public record Use(UUID identity) implements Decision {}

    /** Register the state that is here, then start with it: a crash came before that. */
    public record Register(UUID identity) implements Decision {}

    /**
     * Make a state, register it, then start with it.
     *
     * @param inPlaceOf the registered one, which is lost; empty: it is the datacenter's first
     */
    public record Create(Optional<UUID> inPlaceOf) implements Decision {}

    /** Do not start. */
    public record Refuse(String why) implements Decision {}

    /**
     * What there is in the directory of a dispatcher's states.
     *
     * @param directory for people
     * @param identity empty: no state
     * @param whole false: the retry journal of that state is gone
     */
    public record Here(String directory, Optional<UUID> identity, boolean whole) {}

    /**
     * @param registered the datacenter's state by the registry's word; empty: none yet
     * @param declaredLost what an operator says is lost for good; empty: nothing
     */
    public static Decision decide(
            String datacenter, Here here, Optional<UUID> registered, Optional<UUID> declaredLost) {
        boolean asRegistered =
                here.whole() && here.identity().isPresent() && here.identity().equals(registered);
        if (declaredLost.isPresent() && !declaredLost.equals(registered)) {
            // By an earlier start, which left the option where it is given each time.
            return asRegistered
                    ? new Use(here.identity().get())
                    : new Refuse(notRegistered(datacenter, declaredLost.get(), registered, here));
        }
        if (declaredLost.isPresent()) {
            return asRegistered
                    ? new Refuse(
                            "State %s of the dispatcher of %s is declared lost, but it is whole in %s. Start without --state-is-lost; if its files cannot be read, move them away first"
                                    .formatted(declaredLost.get(), datacenter, here.directory()))
                    : new Create(declaredLost);
        }
        if (registered.isEmpty()) {
            return here.identity()
                    .<Decision>map(Register::new)
                    .orElseGet(() -> new Create(Optional.empty()));
        }
        if (!asRegistered) {
            return new Refuse(absent(datacenter, registered.get(), here));
        }
        return new Use(registered.get());
    }

    private static String notRegistered(
            String datacenter, UUID lost, Optional<UUID> registered, Here here) {
        return "--state-is-lost names state %s of the dispatcher of %s, but the registry has %s registered, and %s holds %s: nothing is changed"
                .formatted(
                        lost,
                        datacenter,
                        registered.map(UUID::toString).orElse("none"),
                        here.directory(),
                        held(here));
    }

    private static String held(Here here) {
        return here.identity()
                .map(
                        identity ->
                                "state " + identity + (here.whole() ? "" : ", without its journal"))
                .orElse("none");
    }

    private static String absent(String datacenter, UUID registered, Here here) {
        return "The registry has state %s registered for the dispatcher of %s, but %s holds %s."
                        .formatted(registered, datacenter, here.directory(), held(here))
                + " Rows of events that were repaired, or wait, may be in the registered one alone. Bring it back: mount its disk,"
                + " or correct deployment.state or deployment.shared. If it is lost for good, start once with --state-is-lost="
                + registered
                + ": the dispatcher then reads its logs again from the earliest record, and the incarnations whose repair rows it"
                + " held are repaired once more";
    }

    /**
     * The registry has another one by now.
     *
     * @param mine that was to be registered
     */
    public static String refused(String datacenter, UUID mine, Optional<UUID> registered) {
        return "State %s cannot be registered for the dispatcher of %s: the registry has %s registered. Is another dispatcher of this datacenter running?"
                .formatted(mine, datacenter, registered.map(UUID::toString).orElse("none"));
    }
}
