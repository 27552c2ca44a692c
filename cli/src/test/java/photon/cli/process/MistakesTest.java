package photon.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import photon.cli.Captured;
import photon.cli.LocalProcess;
import photon.cli.Repository;

/**
 * Makes each mistake of docs/mistakes.md, and compares what Photon says with the page, word by
 * word.
 */
class MistakesTest {
    /** The directory as the page has it. */
    private static final String PLACE = "/data/ads";

    private static final long AT = 1_760_000_000;

    /** Whatever stands in a message of a program and in none of a person. */
    private static final Pattern INTERNAL =
            Pattern.compile(
                    "Optional\\[|\\bPT\\d|\\b[a-z]+(\\.[a-z]+)+\\.[A-Z]\\w*|\\w+\\[\\w+=|\\bat photon\\.|\\b[0-9a-f]{32,}\\b|Exception");

    private static final List<MistakesPage.Entry> PAGE =
            MistakesPage.read(Repository.root().resolve("docs/mistakes.md"));

    @TempDir static Path logs;
    @TempDir Path temporary;

    /** What is done wrong. */
    @FunctionalInterface
    private interface Change {
        void make(Path directory) throws IOException;
    }

    /** What is started then. */
    private enum Start {
        /** Nothing starts: it is refused in this process. */
        REFUSED,
        /** A run to its end. */
        RUN,
        /** Refused, where a run was before. */
        REFUSED_AFTER_A_RUN
    }

    private record Mistake(String title, Start start, Change change, List<String> arguments) {
        @Override
        public String toString() {
            return title;
        }
    }

    private static Mistake refused(String title, String... replaced) {
        return new Mistake(title, Start.REFUSED, replace("photon.yaml", replaced), local());
    }

    private static Mistake run(String title, Change change) {
        return new Mistake(title, Start.RUN, change, local());
    }

    private static Mistake afterARun(String title, String... replaced) {
        return new Mistake(
                title, Start.REFUSED_AFTER_A_RUN, replace("photon.yaml", replaced), local());
    }

    private static List<String> local(String... more) {
        return Stream.concat(
                        Stream.of(
                                "local", "--config", PLACE + "/photon.yaml", "--until-idle", "1s"),
                        Stream.of(more))
                .toList();
    }

    private static Change replace(String file, String... replaced) {
        return directory -> {
            String text = Files.readString(directory.resolve(file));
            for (int i = 0; i < replaced.length; i += 2) {
                assertThat(text).contains(replaced[i]);
                text = text.replace(replaced[i], replaced[i + 1]);
            }
            Files.writeString(directory.resolve(file), text);
        };
    }

    private static Change both(Change one, Change other) {
        return directory -> {
            one.make(directory);
            other.make(directory);
        };
    }

    private static Change write(String file, String text) {
        return directory -> Files.writeString(directory.resolve(file), text);
    }

    static List<Mistake> mistakes() {
        List<Mistake> all = new ArrayList<>();
        all.addAll(inTheConfiguration());
        all.addAll(inWhatItSaysOfTheLogs());
        all.addAll(seenAtTheEndOfARun());
        all.addAll(betweenRuns());
        return all;
    }

    private static List<Mistake> inTheConfiguration() {
        return List.of(
                refused("A misspelt key", "  format: {type: csv}", "  fromat: {type: csv}"),
                refused("A value that does not exist", "unit: seconds", "unit: s"),
                refused("A duration without its unit", "stagger: 500ms", "stagger: 2"),
                refused(
                        "A retention that is too short",
                        "stagger: 500ms",
                        "stagger: 500ms\nretention: 5m"),
                refused(
                        "A misspelt adapter",
                        "stagger: 500ms",
                        "stagger: 500ms\nadapter: {type: mrege}"),
                new Mistake(
                        "A file that is not YAML",
                        Start.REFUSED,
                        write("photon.yaml", "pipeline: [ads\n"),
                        local()),
                new Mistake(
                        "A configuration file that is not there",
                        Start.REFUSED,
                        directory -> Files.delete(directory.resolve("photon.yaml")),
                        local()),
                new Mistake(
                        "A configuration without the part that runs",
                        Start.REFUSED,
                        directory -> {},
                        List.of("run", "joiner", "--config", PLACE + "/photon.yaml")));
    }

    private static List<Mistake> inWhatItSaysOfTheLogs() {
        return List.of(
                refused("A column that the header does not have", "from: [click]", "from: [clik]"),
                refused(
                        "A field that is none of `columns`",
                        "type: csv}\n  id: {from: [click]}",
                        "type: csv, columns: [clik, at, shown]}\n  id: {from: [click]}"),
                refused(
                        "Another separator",
                        "type: csv}\n  id: {from: [click]}",
                        "type: csv, separator: \";\"}\n  id: {from: [click]}"),
                new Mistake(
                        "JSON lines declared as CSV",
                        Start.REFUSED,
                        write("clicks.csv", "{\"click\":\"c0\"}\n{\"click\":\"c1\"}\n"),
                        local()),
                refused("Seconds declared as milliseconds", "unit: seconds", "unit: millis"),
                new Mistake(
                        "Milliseconds declared as seconds",
                        Start.REFUSED,
                        write("clicks.csv", clicks(AT * 1_000)),
                        local()),
                new Mistake(
                        "A date declared as a number",
                        Start.REFUSED,
                        write(
                                "clicks.csv",
                                clicks(AT)
                                        .replaceAll(",17600000(\\d\\d),", ",2025-10-09 08:53:$1,")),
                        local()),
                new Mistake(
                        "Times that count from the start of a recording",
                        Start.REFUSED,
                        write("clicks.csv", clicks(600)),
                        local()));
    }

    private static List<Mistake> seenAtTheEndOfARun() {
        return List.of(
                run(
                        "A glob that matches no file",
                        replace("photon.yaml", "\"clicks*.csv\"", "\"klicks*.csv\"")),
                run(
                        "CSV declared as JSON lines",
                        replace(
                                "photon.yaml",
                                "type: csv}\n  id: {from: [click]}",
                                "type: json-lines}\n  id: {from: [click]}")),
                run(
                        "Records that cannot be used",
                        replace("clicks.csv", "c7,1760000007,s7", "c7,,s7", "c9,", ",")),
                run(
                        "A filter that leaves nothing",
                        replace(
                                "photon.yaml",
                                "type: csv}\n  id: {from: [click]}",
                                "type: csv}\n  where: {shown: [s1000]}\n  id: {from: [click]}")),
                run(
                        "A key that never matches",
                        replace(
                                "photon.yaml",
                                "primaryId: {from: [shown]}",
                                "primaryId: {from: [click]}")),
                run(
                        "Events that are older than the retention",
                        replace("photon.yaml", "stagger: 500ms", "stagger: 500ms\nretention: 3d")),
                run(
                        "Clocks that are ahead",
                        directory ->
                                Files.writeString(
                                        directory.resolve("clicks.csv"),
                                        clicks(System.currentTimeMillis() / 1_000 + 7_200))));
    }

    private static List<Mistake> betweenRuns() {
        return List.of(
                afterARun("An id that is changed", "from: [click]", "from: [click, shown]"),
                afterARun(
                        "A timestamp that is changed",
                        "at, unit: seconds}\n  primaryId",
                        "at, unit: seconds}\n  primaryId".replace("seconds", "millis")),
                afterARun("A datacenter that is taken away", "[east, west]", "[east]"),
                new Mistake(
                        "A datacenter to retire that there is not",
                        Start.REFUSED_AFTER_A_RUN,
                        directory -> {},
                        List.of(
                                "datacenter",
                                "retire",
                                "wset",
                                "--config",
                                PLACE + "/photon.yaml")),
                afterARun("A pipeline that is renamed", "pipeline: ads", "pipeline: clicks"),
                new Mistake(
                        "A state directory of something else",
                        Start.REFUSED,
                        both(
                                directory -> Files.createDirectory(directory.resolve("thesis")),
                                write("thesis/thesis.tex", "")),
                        local("--state", PLACE + "/thesis")));
    }

    private static String clicks(long seconds) {
        return "click,at,shown\n"
                + IntStream.range(0, 20)
                        .mapToObj(i -> "c%d,%d,s%d\n".formatted(i, seconds + i, i))
                        .collect(Collectors.joining());
    }

    private static void writeLogs(Path directory) throws IOException {
        Files.writeString(directory.resolve("photon.yaml"), MistakesPage.CONFIGURATION);
        Files.writeString(directory.resolve("clicks.csv"), clicks(AT));
        Files.writeString(
                directory.resolve("shown.csv"),
                "shown,at\n"
                        + IntStream.range(0, 20)
                                .mapToObj(i -> "s%d,%d\n".formatted(i, AT - 60 + i))
                                .collect(Collectors.joining()));
    }

    private static String[] in(Path directory, List<String> arguments) {
        return arguments.stream()
                .map(argument -> argument.replace(PLACE, directory.toString()))
                .toArray(String[]::new);
    }

    private static Captured runToItsEnd(Path directory, List<String> arguments) throws Exception {
        try (LocalProcess run = LocalProcess.start(logs, "", in(directory, arguments))) {
            int status = run.await();
            return new Captured(status, run.stdout(), run.stderr());
        }
    }

    /** Where nothing is wrong there is nothing to say. */
    private static void aRunThatIsRight(Path directory) throws Exception {
        writeLogs(directory);
        Captured run = runToItsEnd(directory, local());
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(messages(run, directory)).as(run.toString()).isEmpty();
        assertThat(run.stdout()).containsPattern("joined +20").contains("20 joined; ");
    }

    private static void aRunAgainSaysThatItJoinedNothingNew(Path directory) throws Exception {
        writeLogs(directory);
        Captured run = runToItsEnd(directory, local());
        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.stdout())
                .containsPattern("joined +20")
                .contains("this run: 0 new foreign events read, 0 joined; ");
    }

    private static List<String> messages(Captured run, Path directory) {
        return run.stderr()
                .lines()
                .filter(line -> line.startsWith("photon: "))
                .map(line -> line.replace(directory.toString(), PLACE))
                .toList();
    }

    static Stream<Mistake> refusedAtOnce() {
        return mistakes().stream().filter(mistake -> mistake.start() == Start.REFUSED);
    }

    static Stream<Mistake> toldAtTheEndOfARun() {
        return mistakes().stream().filter(mistake -> mistake.start() == Start.RUN);
    }

    @ParameterizedTest
    @MethodSource("refusedAtOnce")
    void whatIsRefusedSaysWhatThePageSays(Mistake mistake) throws Exception {
        saysWhatThePageSays(mistake, temporary.toRealPath());
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("toldAtTheEndOfARun")
    void whatIsRunSaysWhatThePageSays(Mistake mistake) throws Exception {
        saysWhatThePageSays(mistake, temporary.toRealPath());
    }

    @Test
    @Tag("slow")
    void whatIsChangedBetweenRunsIsRefusedAndARunAgainJoinsNothingNew() throws Exception {
        Path directory = temporary.toRealPath();
        aRunThatIsRight(directory);
        for (Mistake mistake : mistakes()) {
            if (mistake.start() == Start.REFUSED_AFTER_A_RUN) {
                saysWhatThePageSays(mistake, directory);
            }
        }
        aRunAgainSaysThatItJoinedNothingNew(directory);
    }

    private static void saysWhatThePageSays(Mistake mistake, Path directory) throws Exception {
        writeLogs(directory);
        mistake.change().make(directory);
        Captured run =
                mistake.start() == Start.RUN
                        ? runToItsEnd(directory, mistake.arguments())
                        : Captured.run(in(directory, mistake.arguments()));
        List<String> messages = messages(run, directory);
        MistakesPage.Entry entry =
                PAGE.stream()
                        .filter(one -> one.title().equals(mistake.title()))
                        .findFirst()
                        .orElse(new MistakesPage.Entry(mistake.title(), -1, List.of()));
        assertThat(new MistakesPage.Entry(mistake.title(), run.status(), messages))
                .as(run.toString())
                .isEqualTo(entry);
        assertThat(run.stdout() + messages).doesNotContainPattern(INTERNAL);
    }

    @Test
    void thePageHasTheseMistakesAndNoOthers() {
        assertThat(PAGE)
                .extracting(MistakesPage.Entry::title)
                .containsExactlyElementsOf(mistakes().stream().map(Mistake::title).toList());
    }
}
