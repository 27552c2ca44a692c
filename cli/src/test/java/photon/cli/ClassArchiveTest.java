package photon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassArchiveTest {
    @Test
    void processesLoadTheClassesOfOtherModulesFromTheArchive() throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LocalProcess.SMALL);
        command.addAll(ClassArchive.options());
        command.add("-Xlog:class+load");
        command.addAll(List.of("-cp", ClassArchive.classPath(), "photon.cli.Photon", "local"));
        command.addAll(List.of("--config", "/nowhere/photon.yaml"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String log = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();

        assertThat(log.lines().filter(line -> line.contains(" photon.core.config.")))
                .as(log)
                .isNotEmpty()
                .allMatch(line -> line.contains("shared objects file (top)"));
    }
}
