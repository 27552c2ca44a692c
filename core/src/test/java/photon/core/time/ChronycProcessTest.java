package photon.core.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChronycProcessTest {
    @TempDir Path directory;

    private String program(String script) throws IOException {
        Path file = Files.writeString(directory.resolve("chronyc"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file.toString();
    }

    @Test
    void itsAnswerIsHanded() throws Exception {
        String program = program("echo \"$@\"; echo of chronyd");
        assertThat(new ChronycProcess(program).tracking())
                .isEqualTo("-c -n tracking\nof chronyd\n");
    }

    @Test
    void aFailureIsToldInItsOwnWords() throws IOException {
        String program = program("echo '506 Cannot talk to daemon'; exit 1");
        assertThatThrownBy(() -> new ChronycProcess(program).tracking())
                .isInstanceOf(IOException.class)
                .hasMessage(program + " ends with status 1: 506 Cannot talk to daemon");
        assertThatThrownBy(() -> new ChronycProcess(directory + "/none").tracking())
                .isInstanceOf(IOException.class)
                .hasMessageContaining(directory + "/none");
    }

    @Test
    void oneThatHangsIsEnded() throws Exception {
        Path pid = directory.resolve("pid");
        String program = program("echo $$ > " + pid + "; exec sleep 1000");
        ChronycProcess chronyc = new ChronycProcess(program, Duration.ofMillis(500));
        assertThatThrownBy(chronyc::tracking)
                .isInstanceOf(IOException.class)
                .hasMessage(program + " has not answered within 500 ms");
        Optional<ProcessHandle> left =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
        if (left.isPresent()) {
            left.get().onExit().get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void aChildThatHoldsThePipeOpenDoesNotHoldItUp() throws Exception {
        String program = program("sleep 6 & echo done");
        long begun = System.nanoTime();
        assertThat(new ChronycProcess(program).tracking()).isEqualTo("done\n");
        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(4));
    }
}
