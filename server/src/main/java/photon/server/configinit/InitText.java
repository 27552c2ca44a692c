package photon.server.configinit;

import java.util.Locale;
import java.util.Optional;
import photon.server.configinit.rules.Guess;
import photon.server.configtest.ConfigTestText;

/** What came of making a configuration, as a text for people. */
public final class InitText {
    private InitText() {}

    /**
     * @param written where the configuration was written; absent: nowhere
     */
    public static String of(ConfigInit.Result result, Optional<String> written) {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "Read the first records of both logs: %,d primary, %,d foreign."
                        .formatted(result.primaryRecords(), result.foreignRecords()));
        for (Guess guess : result.guesses()) {
            line(text, "");
            line(text, guess.key() + ": " + guess.value());
            line(
                    text,
                    "  %s: %s"
                            .formatted(
                                    guess.certainty().name().toLowerCase(Locale.ROOT),
                                    guess.why()));
        }
        result.test()
                .ifPresent(
                        test -> {
                            line(text, "");
                            text.append(ConfigTestText.join(test));
                            text.append(ConfigTestText.warnings(test.findings()));
                        });
        written.ifPresent(
                file -> {
                    line(text, "");
                    line(text, "Wrote " + file + ". Next:");
                    line(text, "  photon config test --config " + file);
                    line(text, "  photon local --config " + file + " --until-idle 5s");
                });
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append('\n');
    }
}
