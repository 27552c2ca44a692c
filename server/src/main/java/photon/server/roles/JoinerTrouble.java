package photon.server.roles;

import java.util.Locale;
import java.util.Optional;
import photon.joiner.JoinerStatus;
import photon.joiner.incarnation.LifeState;

/** Why a joiner takes no events. */
final class JoinerTrouble {
    private JoinerTrouble() {}

    static Optional<String> of(JoinerStatus joiner) {
        if (joiner.state() == LifeState.SERVING) {
            return Optional.empty();
        }
        String stage = joiner.state().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return Optional.of(
                "this joiner holds no slot, it is "
                        + stage
                        + (joiner.lastTrouble().isEmpty() ? "" : ": " + joiner.lastTrouble()));
    }
}
