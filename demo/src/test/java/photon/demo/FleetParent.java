package photon.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import photon.core.testing.Await;
import photon.server.lifecycle.Shutdown;
import photon.testbed.process.Fleet;
import photon.testbed.process.JavaCommand;
import photon.testbed.process.ProcessName;

/** A process with a fleet, as the demo is one, so that a test can end it. */
final class FleetParent {
    private static final List<ProcessName> CHILDREN =
            List.of(
                    new ProcessName("east", "eventstore", ""),
                    // Waits for a registry that never comes: still starting when its end comes.
                    new ProcessName("east", "dispatcher", ""));

    private FleetParent() {}

    /** Runs until a signal. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        DemoLayout layout = new DemoLayout(directory, 1, new Random());
        layout.write(FleetTest.STREAMS);
        try (Shutdown shutdown = Shutdown.install()) {
            try (Fleet fleet = new Fleet(p -> FleetTest.command(layout, p), layout.daemonLogs())) {
                for (ProcessName child : CHILDREN) {
                    fleet.start(child);
                }
                while (!fleet.serving(CHILDREN.get(0))) {
                    shutdown.awaitRequest(Duration.ofMillis(20));
                }
                StringBuilder pids = new StringBuilder();
                CHILDREN.forEach(c -> pids.append(fleet.pid(c).orElseThrow()).append(' '));
                Files.writeString(directory.resolve("pids.new"), pids);
                Files.move(directory.resolve("pids.new"), directory.resolve("pids"));
                while (!shutdown.awaitRequest(Duration.ofMillis(100))) {
                    // Is there.
                }
            }
            shutdown.finished(0);
        }
    }

    static Handle start(Path directory) throws IOException {
        List<String> command = new ArrayList<>(JavaCommand.of(96, directory, List.of()));
        command.set(command.indexOf("photon.cli.Photon"), FleetParent.class.getName());
        command.add(directory.toString());
        Path err = directory.resolve("parent.log");
        return new Handle(
                new ProcessBuilder(command)
                        .redirectError(err.toFile())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start(),
                directory);
    }

    /** The running parent. Closing leaves nothing of it. */
    record Handle(Process process, Path directory) implements AutoCloseable {
        List<Long> awaitChildren() throws Exception {
            Path pids = directory.resolve("pids");
            Await.until(FleetTest.WITHIN, "children", this::messages, () -> Files.exists(pids));
            return children();
        }

        private List<Long> children() throws IOException {
            return Arrays.stream(Files.readString(directory.resolve("pids")).trim().split(" ", -1))
                    .map(Long::parseLong)
                    .toList();
        }

        String messages() {
            try {
                return Files.readString(directory.resolve("parent.log"));
            } catch (IOException e) {
                return e.toString();
            }
        }

        @Override
        public void close() throws IOException {
            process.destroyForcibly().onExit().join();
            if (Files.exists(directory.resolve("pids"))) {
                for (long pid : children()) {
                    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                }
            }
        }
    }
}
