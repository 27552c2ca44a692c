package photon.joiner.adapters.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;
import photon.joiner.adapters.AdapterDecision;
import photon.joiner.adapters.AdapterFigure;
import photon.joiner.adapters.AdapterHost;
import photon.joiner.adapters.PairAdapter;
import photon.joiner.adapters.PairAdapter.PairOfEvents;
import photon.joiner.adapters.load.Adapters;
import photon.proto.v1.Event;

/** An adapter that Photon starts itself: whatever becomes of it, pairs are only tried again. */
class ChildProcessTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(10);

    private static PairAdapter start(Duration timeout, String... command) {
        return Adapters.load(
                new PipelineConfig.Adapter(
                        PipelineConfig.Adapter.REMOTE,
                        List.of(),
                        Optional.of(PipelineConfig.Remote.of(List.of(command), ".")),
                        Map.of(),
                        timeout,
                        50,
                        200),
                AdapterHost.joiner("ads", "east"));
    }

    private static PairAdapter fake(Duration timeout, String... arguments) {
        return start(timeout, command(List.of(), arguments));
    }

    private static String[] command(List<String> before, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FakeChild.class.getName()));
        command.addAll(List.of(arguments));
        return command.toArray(String[]::new);
    }

    private static AdapterDecision ask(PairAdapter adapter, String id) {
        Event event = Event.newBuilder().setIdText(id).build();
        return adapter.joinAll(List.of(new PairOfEvents(event, 2, event, 1))).get(0);
    }

    /** Which process answers; asks as a joiner does, until one does. */
    private static ProcessHandle answering(PairAdapter adapter) {
        long end = System.nanoTime() + LONG.toNanos();
        while (System.nanoTime() < end) {
            if (ask(adapter, "f") instanceof AdapterDecision.Skip skip) {
                return ProcessHandle.of(Long.parseLong(skip.reason())).orElseThrow();
            }
        }
        throw new AssertionError("no process has answered within " + LONG);
    }

    private static long starts(PairAdapter adapter) {
        return adapter.figures().stream()
                .filter(figure -> figure.name().equals("remote_starts"))
                .mapToLong(figure -> ((AdapterFigure.Count) figure).value())
                .sum();
    }

    private static void signal(String signal, ProcessHandle process) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, "" + process.pid()).start().waitFor())
                .isZero();
    }

    private static void ends(ProcessHandle process) throws Exception {
        process.onExit().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void itIsStartedOnceAndEndedWithItsSocket() throws Exception {
        ProcessHandle process;
        try (PairAdapter adapter = fake(LONG)) {
            process = answering(adapter);
            assertThat(process.parent()).contains(ProcessHandle.current());
            assertThat(answering(adapter)).isEqualTo(process);
            assertThat(starts(adapter)).isEqualTo(1);
        }
        ends(process);
    }

    @Test
    void oneThatDoesNotEndWithItsInputIsEnded() throws Exception {
        ProcessHandle process;
        try (PairAdapter adapter = fake(LONG, "stubborn")) {
            process = answering(adapter);
        }
        ends(process);
    }

    /** The shell heeds the signal, and what it has started heeds nothing. */
    @Test
    void whatAScriptHasStartedEndsWithIt() throws Exception {
        ProcessHandle process;
        List<String> script = List.of("sh", "-c", "\"$0\" \"$@\"; exit 1");
        try (PairAdapter adapter = start(LONG, command(script, "stubborn"))) {
            process = answering(adapter);
            assertThat(process.parent()).isNotEqualTo(Optional.of(ProcessHandle.current()));
        }
        ends(process);
    }

    @Test
    void oneThatCrashesIsStartedAgain() throws Exception {
        try (PairAdapter adapter = fake(LONG)) {
            ProcessHandle first = answering(adapter);
            assertThat(ask(adapter, "die")).isInstanceOf(AdapterDecision.Retry.class);
            ends(first);
            ProcessHandle second = answering(adapter);
            assertThat(second).isNotEqualTo(first);
            second.destroyForcibly();
            ends(second);
            assertThat(answering(adapter)).isNotEqualTo(second);
            assertThat(starts(adapter)).isEqualTo(3);
        }
    }

    @Test
    void oneThatHangsIsEndedAndStartedAgain() throws Exception {
        try (PairAdapter adapter = fake(SHORT)) {
            ProcessHandle first = answering(adapter);
            signal("-STOP", first);
            AdapterDecision decision = ask(adapter, "f");
            // Of several threads, one may run on for a moment.
            while (decision instanceof AdapterDecision.Skip) {
                decision = ask(adapter, "f");
            }
            assertThat(decision)
                    .isInstanceOfSatisfying(
                            AdapterDecision.Retry.class,
                            retry ->
                                    assertThat(retry.reason())
                                            .contains("it gave no answer within adapter.timeout"));
            ends(first);
            assertThat(answering(adapter)).isNotEqualTo(first);
        }
    }

    @Test
    void oneThatEndsAtOnceIsAway() {
        try (PairAdapter adapter = start(LONG, "sh", "-c", "echo no module >&2; exit 3")) {
            assertThat(ask(adapter, "f"))
                    .isInstanceOfSatisfying(
                            AdapterDecision.NotAsked.class,
                            away ->
                                    assertThat(away.reason())
                                            .startsWith("the adapter sh -c ")
                                            .contains("is away: it has ended with exit status 3")
                                            .contains("its last words: no module"));
        }
    }

    @Test
    void whatCannotBeStartedEndsTheStart() {
        assertThatThrownBy(() -> start(LONG, "no-such-program").close())
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("adapter.command: cannot start it: ")
                .hasMessageContaining("no-such-program");
    }

    @Test
    void whatItPrintsIsCutAndCounted() throws Exception {
        Path script = Files.createTempFile("prints", ".sh");
        try {
            Files.writeString(script, "for i in $(seq 300); do echo line $i; done\nexit 1\n");
            Process process =
                    new ProcessBuilder("sh", script.toString()).redirectErrorStream(true).start();
            ChildOutput output = ChildOutput.follow(process, Duration.ofHours(1));
            process.waitFor();
            long end = System.nanoTime() + LONG.toNanos();
            while (!output.last().equals("line 300") && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            assertThat(output.last()).isEqualTo("line 300");
            assertThat(output.leftOut()).isEqualTo(200);
        } finally {
            Files.delete(script);
        }
    }
}
