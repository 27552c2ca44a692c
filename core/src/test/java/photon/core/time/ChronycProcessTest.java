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
    /** A machine that is busy starts even a shell slowly. */
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir Path directory;

    private String program(String script) throws IOException {
        Path file = Files.writeString(directory.resolve("chronyc"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return file.toString();
    }

    @Test
    void itsAnswerIsHanded() throws Exception {
        String program = program("echo \"$@\"; echo of chronyd");
        assertThat(new ChronycProcess(program, LONG).tracking())
                .isEqualTo("-c -n tracking\nof chronyd\n");
    }

    @Test
    void aFailureIsToldInItsOwnWords() throws IOException {
        String program = program("echo '506 Cannot talk to daemon'; exit 1");
        assertThatThrownBy(() -> new ChronycProcess(program, LONG).tracking())
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
        Files.createFile(pid);
        for (long millis = 250; Files.readString(pid).isBlank(); millis *= 2) {
            // As long as the shell needs to begin at all.
            ChronycProcess chronyc = new ChronycProcess(program, Duration.ofMillis(millis));
            assertThatThrownBy(chronyc::tracking)
                    .isInstanceOf(IOException.class)
                    .hasMessage(program + " has not answered within " + millis + " ms");
        }
        Optional<ProcessHandle> left =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
        if (left.isPresent()) {
            left.get().onExit().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aChildThatHoldsThePipeOpenDoesNotHoldItUp() throws Exception {
        Path pid = directory.resolve("pid");
        String program = program("sleep 100 & echo $! > " + pid + "; echo done");
        assertThat(new ChronycProcess(program, LONG).tracking()).isEqualTo("done\n");
        // It has not been waited for: it is there.
        Optional<ProcessHandle> child =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
        assertThat(child).get().extracting(ProcessHandle::isAlive).isEqualTo(true);
        child.get().destroyForcibly();
    }
}
