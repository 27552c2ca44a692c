package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import photon.cli.Repository;
import photon.core.rpc.LoopbackPorts;

/**
 * What {@code deploy/local-cluster} refuses, and whom it ends. That a cluster runs is in {@link
 * CommandsTest}.
 */
@EnabledOnOs(OS.LINUX)
class LocalClusterTest {
    static final Path SCRIPT = Repository.root().resolve("deploy/local-cluster");

    private static final int SECONDS_MAX = 300;

    /** Ports that a script may use, below those from which other tests choose theirs. */
    private static final int LOWEST_PORT = 10_000;

    private static final int HIGHEST_PORT = 14_900;

    @TempDir Path directory;

    private record Ended(int status, String stdout, String stderr) {}

    static int basePort() {
        return new Random().nextInt(LOWEST_PORT, HIGHEST_PORT);
    }

    /** Ends the cluster in the folder of that name, in whatever state it is; else nothing. */
    static void endAll(Path directory) throws Exception {
        if (Files.exists(directory.resolve("photon-cluster/cluster"))) {
            for (String place : List.of("east", "west", "witness")) {
                run(directory, "kill", place);
            }
            run(directory, "stop");
        }
    }

    /** A launcher that only says with what it was called. */
    @BeforeEach
    void makeLauncher() throws IOException {
        Path launcher = Files.writeString(directory.resolve("photon"), "#!/bin/sh\nexit 3\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
    }

    private static Ended run(Path directory, String... args) throws Exception {
        Path out = directory.resolve("out.txt");
        Path err = directory.resolve("err.txt");
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().put("PHOTON", directory.resolve("photon").toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "begin | no such verb: begin. Expected start, status, kill, revive, roll, add-replica, check or stop",
                "start --replicas 4 | --replicas is '4': expected 3 or 5",
                "start --joiners 5 | --joiners is 5: expected a number from 1 to 4",
                "start --joiners=-1 | --joiners is '-1': expected a number from 1 to 4",
                "start --base-port 80 | --base-port is 80: expected a number from 1024 to 65466",
                "start --rate fast | --rate is 'fast': expected a number from 0 to 10000",
                "start --folder a*b | --folder is 'a*b': expected a path without any of",
                "start --folder o'brien | --folder is 'o'brien': expected a path without any of",
                "start --folder a&b | --folder is 'a&b': expected a path without any of",
                "start --folder | --folder needs a value",
                "start --quick | no such option: --quick",
                "start east | start takes no DATACENTER, but got 'east'",
                "kill | DATACENTER is '': expected east, west or witness",
                "kill north | DATACENTER is 'north': expected east, west or witness",
                "kill east west | 'west' is one argument too many",
                "status --rate 3 | --replicas, --joiners, --base-port and --rate are for start",
                "status | no cluster is in 'photon-cluster'",
                "stop --folder elsewhere | no cluster is in 'elsewhere'",
                "start --folder full | --folder is full: expected a new or empty folder"
            })
    void wrongUsageIsToldAndChangesNothing(String args, String told) throws Exception {
        Files.createDirectories(directory.resolve("full/of-something"));
        Ended ended = run(directory, args.split(" "));
        assertThat(ended.status()).as("%s", ended).isEqualTo(2);
        assertThat(ended.stderr()).startsWith("local-cluster: " + told);
        assertThat(ended.stdout()).isEmpty();
        assertThat(directory.resolve("photon-cluster")).doesNotExist();
    }

    /** They would make another {@code you.env} of it. */
    @ParameterizedTest
    @ValueSource(strings = {"a|b", "a\nb", "a\n"})
    void aFolderThatSedOrAShellWouldReadOtherwiseIsRefused(String folder) throws Exception {
        Ended ended = run(directory, "start", "--folder", folder);
        assertThat(ended.status()).as("%s", ended).isEqualTo(2);
        assertThat(ended.stderr())
                .startsWith("local-cluster: --folder is '" + folder + "': expected a path without");
        assertThat(directory.resolve(folder)).doesNotExist();
    }

    @Test
    void aFolderWithinSuchADirectoryIsRefused() throws Exception {
        Path parent = Files.createDirectories(directory.resolve("o'brien"));
        Files.copy(
                directory.resolve("photon"),
                parent.resolve("photon"),
                StandardCopyOption.COPY_ATTRIBUTES);
        Ended ended = run(parent, "start");
        assertThat(ended.status()).as("%s", ended).isEqualTo(2);
        assertThat(ended.stderr()).contains("o'brien/photon-cluster': expected a path without");
        assertThat(parent.resolve("photon-cluster")).doesNotExist();
    }

    @Test
    void helpListsTheVerbs() throws Exception {
        Ended ended = run(directory, "--help");
        assertThat(ended.status()).isZero();
        assertThat(ended.stdout())
                .contains("start ", "status ", "kill DATACENTER", "add-replica", "check ", "stop ");
    }

    /** Those before it are free, so that it is the first to be named. */
    private static ServerSocket thirdOfARange() throws IOException {
        for (int tries = 0; tries < 1_000; tries++) {
            int base = basePort();
            if (LoopbackPorts.isFree(base)
                    && LoopbackPorts.isFree(base + 1)
                    && LoopbackPorts.isFree(base + 2)) {
                return new ServerSocket(base + 2);
            }
        }
        throw new IOException("no three free ports in a row");
    }

    @Test
    void aPortOfAnotherProgramIsNamed() throws Exception {
        try (ServerSocket taken = thirdOfARange()) {
            // The third port of a cluster is the Raft port of r1.
            String base = String.valueOf(taken.getLocalPort() - 2);
            Ended ended = run(directory, "start", "--base-port", base);
            assertThat(ended.status()).as("%s", ended).isEqualTo(2);
            assertThat(ended.stderr())
                    .contains(
                            "port " + taken.getLocalPort() + " of 127.0.0.1, for west-registry-r1");
            assertThat(directory.resolve("photon-cluster")).doesNotExist();
        }
    }

    @Test
    void onlyAProcessWithTheSameStartIsEnded() throws Exception {
        Path run = Files.createDirectories(directory.resolve("photon-cluster/run"));
        Files.writeString(
                directory.resolve("photon-cluster/cluster"),
                "places=east west witness\njoiners=1\nbase_port=10000\n");
        Process own = new ProcessBuilder("sleep", "600").start();
        Process other = new ProcessBuilder("sleep", "600").start();
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            Files.writeString(
                    run.resolve("east-dispatcher.pid"),
                    "%d %s %s\n".formatted(own.pid(), started(own.pid()), boot));
            Files.writeString(
                    run.resolve("west-dispatcher.pid"),
                    "%d %d %s\n"
                            .formatted(
                                    other.pid(), Long.parseLong(started(other.pid())) - 1, boot));
            assertThat(run(directory, "start").stderr()).contains("runs: see");
            assertThat(run(directory, "status").stdout())
                    .containsPattern("east-dispatcher +starts +" + own.pid())
                    .containsPattern("west-dispatcher +down +-");
            assertThat(run(directory, "kill", "west").stdout()).startsWith("killed 0 processes");
            Ended stop = run(directory, "stop");
            assertThat(stop.status()).as("%s", stop).isZero();
            assertThat(own.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            assertThat(other.isAlive()).isTrue();
            assertThat(run(directory, "stop").stdout()).startsWith("nothing of the cluster in");
        } finally {
            own.destroyForcibly();
            other.destroyForcibly();
        }
    }

    /** The 22nd field, in ticks since the boot. */
    private static String started(long pid) throws IOException {
        return Files.readString(Path.of("/proc/" + pid + "/stat")).split(" ")[21];
    }
}
