package photon.core.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects what is wrong with a configuration, each problem with the key that it is about. */
final class ConfigProblems {
    /**
     * @param text begins with the key
     */
    private record Problem(String key, String text) {}

    private final List<Problem> all = new ArrayList<>();

    void add(String key, String text) {
        all.add(new Problem(key, text));
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** As if every key stood in one file. */
    List<String> texts() {
        return all.stream().map(Problem::text).toList();
    }

    /** Each with what the user has to change: the file, or a variable. */
    List<String> texts(String file, ConfigVariables variables) {
        List<String> texts = new ArrayList<>();
        boolean ofFile = false;
        for (Problem problem : all) {
            Optional<String> blamed = blamed(problem, variables);
            ofFile |= blamed.isEmpty();
            texts.add(blamed.orElse(file + ": " + problem.text));
        }
        if (ofFile && !variables.isEmpty()) {
            texts.add(
                    "These environment variables override keys of %s: %s"
                            .formatted(file, String.join(", ", variables.names())));
        }
        return texts;
    }

    private static Optional<String> blamed(Problem problem, ConfigVariables variables) {
        Optional<ConfigVariables.Variable> setter = variables.setterOf(problem.key);
        if (setter.isPresent()) {
            String text = problem.text;
            boolean ofValue =
                    setter.get().key().equals(problem.key)
                            && text.startsWith(problem.key + " is ")
                            && !text.startsWith(problem.key + " is not a known key");
            return Optional.of(
                    ofValue
                            ? setter.get().name() + text.substring(problem.key.length())
                            : setter.get().name() + ": " + text);
        }
        return variables
                .madeBy(problem.key)
                .map(
                        variable ->
                                "%s: %s (in the name of a variable, '_' separates keys, which keep their case; if a name of your own has '_', '.' or '-', set the mapping around it, as YAML)"
                                        .formatted(variable.name(), problem.text));
    }
}
