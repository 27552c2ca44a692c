package photon.bench.pipeline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compares joined lines with the generator's answer: each pair that can be joined must be there
 * once, and nothing else. Keeps a hash of 64 bits per pair: of 20 million pairs, two share one with
 * a probability of 1 in 90,000, and then a right answer is taken for a wrong one, never the other
 * way round.
 */
final class AnswerCheck {
    private static final int TOLD_MAX = 5;
    private static final HashFunction HASH = Hashing.murmur3_128();
    private static final JsonFactory JSON = new JsonFactory();

    private final long[] expected; // sorted

    private AnswerCheck(long[] expected) {
        this.expected = expected;
    }

    /**
     * What was joined, beside what should have been.
     *
     * @param joined lines
     * @param missing pairs that are in no line
     * @param duplicates lines of a pair that an earlier line had
     * @param wrong lines of what is no pair
     * @param told some of the duplicates and wrong ones, for people
     */
    record Verdict(long joined, long missing, long duplicates, long wrong, List<String> told) {
        boolean right() {
            return missing == 0 && duplicates == 0 && wrong == 0;
        }
    }

    /**
     * @param joinable file of lines {@code foreign id, tab, primary id}
     */
    static AnswerCheck of(Path joinable) throws IOException {
        try (Stream<String> lines = Files.lines(joinable, StandardCharsets.UTF_8)) {
            long[] hashes = lines.mapToLong(AnswerCheck::hash).toArray();
            Arrays.sort(hashes);
            return new AnswerCheck(hashes);
        }
    }

    private static long hash(String pair) {
        return HASH.hashString(pair, StandardCharsets.UTF_8).asLong();
    }

    /**
     * @param files of joined lines: JSON objects with {@code id} and {@code primaryId}
     */
    Verdict judge(Collection<Path> files) throws IOException {
        BitSet seen = new BitSet(expected.length);
        List<String> told = new ArrayList<>();
        long joined = 0;
        long duplicates = 0;
        long wrong = 0;
        for (Path file : files) {
            try (InputStream in = Files.newInputStream(file);
                    JsonParser parser = JSON.createParser(in)) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    String pair = pair(parser);
                    joined++;
                    int at = Arrays.binarySearch(expected, hash(pair));
                    if (at >= 0 && !seen.get(at)) {
                        seen.set(at);
                        continue;
                    }
                    duplicates += at >= 0 ? 1 : 0;
                    wrong += at >= 0 ? 0 : 1;
                    if (told.size() < TOLD_MAX) {
                        told.add((at >= 0 ? "twice: " : "not in the answer: ") + pair);
                    }
                }
            }
        }
        return new Verdict(
                joined, (long) expected.length - seen.cardinality(), duplicates, wrong, told);
    }

    /** Reads one object to its end. */
    private static String pair(JsonParser parser) throws IOException {
        String foreign = "";
        String primary = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "id" -> foreign = parser.getText();
                case "primaryId" -> primary = parser.getText();
                default -> parser.skipChildren();
            }
        }
        return foreign + "\t" + primary;
    }
}
