package photon.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import photon.cli.Captured;
import photon.cli.Photon;
import photon.tools.Verbs.Verb;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** A URI where a path of this machine is wanted makes a directory called hdfs: if it is taken. */
class LocalPathOptionsTest {
    private record PathOption(Verb verb, ArgSpec arg) {
        boolean isOption() {
            return arg instanceof OptionSpec;
        }

        String name() {
            return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
        }

        @Override
        public String toString() {
            return verb + " " + name();
        }
    }

    static List<PathOption> pathOptions() {
        List<PathOption> found = new ArrayList<>();
        for (Verb verb : Verbs.all()) {
            Stream.concat(
                            verb.spec().options().stream(),
                            verb.spec().positionalParameters().stream())
                    .filter(arg -> arg.typeInfo().getType().equals(Path.class))
                    .forEach(arg -> found.add(new PathOption(verb, arg)));
        }
        return found;
    }

    @Test
    void theListHasWhatItShouldHave() {
        assertThat(pathOptions())
                .map(PathOption::toString)
                .contains(
                        "local --state",
                        "local --config",
                        "registry backup --metrics-file",
                        "registry restore-drill --work",
                        "generate --output");
    }

    @ParameterizedTest
    @MethodSource("pathOptions")
    void aUriIsRefused(PathOption option) {
        String uri = "hdfs://nn1/photon";
        String[] words =
                option.isOption()
                        ? option.verb().words(option.name(), uri)
                        : option.verb().words(uri);
        // Not run before that is sure: it would start what the verb starts.
        assertThatThrownBy(() -> Photon.commandLine().parseArgs(words))
                .isInstanceOf(ParameterException.class);
        Captured run = Captured.run(words);
        assertThat(run.status()).as(run.toString()).isEqualTo(2);
        assertThat(run.stderr())
                .contains(
                        "%s is '%s': expected a path of this machine, not a URI"
                                .formatted(option.name(), uri));
    }
}
