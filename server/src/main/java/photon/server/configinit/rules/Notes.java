package photon.server.configinit.rules;

import java.util.ArrayList;
import java.util.List;

/** Gathers what was guessed of a configuration, and what could not be. */
final class Notes {
    private final List<Guess> guesses = new ArrayList<>();
    private final List<Need> needs = new ArrayList<>();

    void guess(String key, String value, Guess.Certainty certainty, String why) {
        guesses.add(new Guess(key, value, certainty, why));
    }

    void need(String key, String problem, String options) {
        needs.add(new Need(key, problem, options));
    }

    List<Guess> guesses() {
        return guesses;
    }

    List<Need> needs() {
        return needs;
    }
}
