package photon.demo.chaos;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import photon.demo.DemoLayout;
import photon.testbed.process.Fleet;
import photon.testbed.process.ProcessName;

/** Measures processes and files from outside. Not thread-safe. */
final class ResourceWatch {
    private static final String RESIDENT = "VmRSS:";

    private final DemoLayout layout;
    private final Fleet fleet;

    ResourceWatch(DemoLayout layout, Fleet fleet) {
        this.layout = layout;
        this.fleet = fleet;
    }

    ResourceSample look(double atSeconds, long joinable, long published) throws IOException {
        SortedMap<String, Long> resident = new TreeMap<>();
        long rows = 0;
        for (ProcessName process : layout.processes()) {
            OptionalLong pid = fleet.pid(process);
            if (pid.isPresent()) {
                resident.merge(process.role(), residentMegabytes(pid.getAsLong()), Math::max);
            }
            rows +=
                    fleet.status(process)
                            .map(line -> line.status().path("waitingRows").asLong())
                            .orElse(0L);
        }
        Counts counts = new Counts();
        Files.walkFileTree(layout.states(), counts);
        Files.walkFileTree(layout.outputs(), counts);
        return new ResourceSample(
                atSeconds,
                joinable,
                published,
                resident,
                counts.files,
                counts.workFiles,
                counts.checkpointBytes,
                rows);
    }

    /** 0 of one that has ended meanwhile. */
    private static long residentMegabytes(long pid) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", "" + pid, "status"))) {
                if (line.startsWith(RESIDENT)) {
                    String kilobytes = line.substring(RESIDENT.length()).replace("kB", "").strip();
                    return Long.parseLong(kilobytes) / 1024;
                }
            }
        } catch (IOException e) {
            return 0;
        }
        return 0;
    }

    /** What goes away while it is looked at does not count. */
    private static final class Counts extends SimpleFileVisitor<Path> {
        long files;
        long workFiles;
        long checkpointBytes;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            files++;
            String path = file.toString();
            if (path.contains("/_work/")) {
                workFiles++;
            }
            if (path.contains("/dispatcher/") && path.contains("/checkpoint/")) {
                checkpointBytes = Math.max(checkpointBytes, attributes.size());
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
