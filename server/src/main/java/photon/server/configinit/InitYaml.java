package photon.server.configinit;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import photon.core.text.PlainText;
import photon.server.configinit.rules.Guess;
import photon.server.configinit.rules.Guessing;
import photon.server.configtest.rules.Yaml;
import photon.storage.files.FileStore;
import photon.storage.files.Globs;

/** Writes the text of a configuration, with a comment on each setting. */
final class InitYaml {
    private static final String FALLBACK_NAME = "first-pipeline";
    private static final int NAME_CHARS_MAX = 63;

    private final FileStore files;
    private final InitRequest request;
    private final InputLog primary;
    private final InputLog foreign;
    private final Guessing.Result guessed;
    private final StringBuilder text = new StringBuilder();

    InitYaml(
            FileStore files,
            InitRequest request,
            InputLog primary,
            InputLog foreign,
            Guessing.Result guessed) {
        this.files = files;
        this.request = request;
        this.primary = primary;
        this.foreign = foreign;
        this.guessed = guessed;
    }

    String text() {
        String file = String.valueOf(request.configuration().getFileName());
        comment(
                "",
                "Created by photon init from %,d primary and %,d foreign records. Each comment says how certain a setting is and why."
                        .formatted(primary.sample().records(), foreign.sample().records()));
        comment(
                "",
                "You cannot change ids and timestamps after the first run: check them before it.");
        comment("", "  photon config test --config " + file);
        comment("", "  photon local --config " + file + " --until-idle 5s");
        comment("", "docs/configuration.md describes every key.");
        line("");
        comment(
                "",
                "The name of this pipeline in the registry and in metrics: lowercase letters, digits and '-'.");
        line("pipeline: " + Yaml.text(request.pipeline().orElseGet(this::pipelineName)));
        comment(
                "",
                "Each datacenter reads all input and writes its own output; photon local runs all of them in one process.");
        line("datacenters: [east, west]");
        comment(
                "",
                "How old an event may be, such as 30d. Photon refuses older events and forgets their ids.");
        line("retention: unlimited");
        line("");
        comment("", "The events that are logged first, and that foreign events name.");
        stream("primary", primary);
        line("");
        comment("", "The events that are joined, each with the primary event that it names.");
        stream("foreign", foreign);
        return text.toString();
    }

    private void stream(String name, InputLog log) {
        line(name + ":");
        String written = log.written(request.configuration());
        comment("  ", written.equals(log.pattern()) ? "Absolute." : "Relative to this file.");
        similar(log)
                .ifPresent(
                        glob ->
                                comment(
                                        "  ",
                                        "A glob also reads further files, and files that come later: "
                                                + glob));
        if (!log.compression().isEmpty()) {
            comment("  ", "Photon recognises %s by itself.".formatted(log.compression()));
        }
        line("  paths: " + Yaml.quotedList(List.of(written)));
        for (String key : List.of("format", "where", "id", "timestamp", "primaryId")) {
            guessed.of(name + "." + key).ifPresent(guess -> setting(key, guess));
        }
    }

    private void setting(String key, Guess guess) {
        comment(
                "  ",
                "%s: %s."
                        .formatted(
                                guess.certainty().name().charAt(0)
                                        + guess.certainty()
                                                .name()
                                                .substring(1)
                                                .toLowerCase(Locale.ROOT),
                                guess.why()));
        line("  %s: %s".formatted(key, guess.value()));
    }

    /** A glob of files whose names differ from this one's in digits only; empty: there are none. */
    private Optional<String> similar(InputLog log) {
        String path = log.files().get(0).path();
        String name = InputLog.lastName(path);
        String pattern = Globs.escape(name).replaceAll("[0-9]+", "*").replaceAll("\\*+", "*");
        if (log.files().size() > 1 || pattern.equals(name)) {
            return Optional.empty();
        }
        String written = log.written(request.configuration());
        String directory = written.substring(0, written.lastIndexOf('/') + 1);
        String glob = Globs.escape(path.substring(0, path.lastIndexOf('/') + 1)) + pattern;
        try {
            int matching = files.glob(glob).size();
            return matching < 2
                    ? Optional.empty()
                    : Optional.of(
                            "%s matches %,d files now"
                                    .formatted(
                                            Yaml.quotedList(List.of(directory + pattern)),
                                            matching));
        } catch (IOException e) {
            return Optional.empty(); // It is only a hint.
        }
    }

    private String pipelineName() {
        String stem = foreign.sample().stem();
        String name = stem.substring(0, Math.min(NAME_CHARS_MAX, stem.length()));
        return name.isEmpty() ? FALLBACK_NAME : name;
    }

    private void comment(String indent, String comment) {
        line(indent + "# " + PlainText.line(comment));
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
