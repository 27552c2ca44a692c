package photon.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Lays the records of some files out anew, from a seed: shuffled, repeated, split over files, some
 * compressed.
 */
public final class Disorder {
    private final Random random;

    public Disorder(long seed) {
        this.random = new Random(seed);
    }

    public static List<String> lines(List<Path> files) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file);
                    InputStream plain =
                            file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
                lines.addAll(
                        new String(plain.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
            }
        }
        return lines;
    }

    /** Every line at least once, one in ten twice, in any order. */
    public List<String> shuffledAndRepeated(List<String> lines) {
        List<String> result = new ArrayList<>(lines);
        for (String line : lines) {
            if (random.nextInt(10) == 0) {
                result.add(line);
            }
        }
        Collections.shuffle(result, random);
        return result;
    }

    /** Splits the lines over files {@code name-0.log} and so on, every other one compressed. */
    public void write(List<String> lines, Path directory, String name, int files)
            throws IOException {
        Files.createDirectories(directory);
        for (int i = 0; i < files; i++) {
            List<String> part =
                    lines.subList(lines.size() * i / files, lines.size() * (i + 1) / files);
            byte[] content = (String.join("\n", part) + "\n").getBytes(StandardCharsets.UTF_8);
            // Written aside: a compressed file appears whole.
            Path aside = directory.resolve("." + name + "-" + i);
            try (OutputStream raw = Files.newOutputStream(aside);
                    OutputStream out = i % 2 == 0 ? raw : new GZIPOutputStream(raw)) {
                out.write(content);
            }
            Files.move(aside, directory.resolve(name + "-" + i + ".log"));
        }
    }
}
