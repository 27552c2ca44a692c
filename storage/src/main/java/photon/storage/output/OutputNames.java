package photon.storage.output;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import photon.core.id.Incarnation;

/**
 * Every name in an output directory: who reads a listing and who writes a file agree by this class
 * alone.
 */
final class OutputNames {
    static final String IDENTITY = "_photon.json";
    static final String WORK = "_work";
    static final String SEALED = "SEALED";
    static final String RETIRED = "retired";
    static final String ADAPTER = "adapter";

    private static final Pattern OUTPUT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");
    private static final Pattern SEALED_DIRECTORY =
            Pattern.compile("([1-9][0-9]{0,9}-[1-9][0-9]{0,9})(\\.sealed(-[A-Za-z0-9_]+)?)?");
    private static final Pattern IN_WORK =
            Pattern.compile("(work|frozen|manifest|lost)-([0-9]{6,18})(\\.log|\\.bin|\\.json)");
    private static final Pattern PUBLISHED =
            Pattern.compile("([1-9][0-9]{0,9}-[1-9][0-9]{0,9})-([0-9]{6,18})\\.[a-z0-9.]+");

    private static final DateTimeFormatter HOUR =
            DateTimeFormatter.ofPattern("'dt='uuuu-MM-dd'/hour='HH", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final Pattern DAY_FOLDER = Pattern.compile("dt=([0-9]{4}-[0-9]{2}-[0-9]{2})");
    private static final Pattern HOURS =
            Pattern.compile("dt=[0-9]{4}-[0-9]{2}-[0-9]{2}/hour=[0-9]{2}/");

    private OutputNames() {}

    /** What a file in a work directory is. */
    enum Kind {
        WORK,
        FROZEN,
        MANIFEST,
        LOST
    }

    /** A file in a work directory whose name says what it is. */
    record Numbered(Kind kind, long sequence) {}

    /** A name without a dot: so it is never the name of a published file. */
    static boolean isOutput(String name) {
        return OUTPUT.matcher(name).matches();
    }

    /** The folder of what is published at this time, in microseconds since 1970. */
    static String hour(long micros) {
        return HOUR.format(Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L)));
    }

    /** True for the name of a folder that holds those of one day's hours. */
    static boolean isDayFolder(String name) {
        return DAY_FOLDER.matcher(name).matches();
    }

    static String dayFolder(LocalDate day) {
        return "dt=" + day;
    }

    /** Of the hour in whose folder a published file stands; empty if it says none. */
    static Optional<LocalDate> day(String path) {
        Matcher folder = DAY_FOLDER.matcher(path);
        try {
            return folder.find() ? Optional.of(LocalDate.parse(folder.group(1))) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /**
     * @param hour the folder ({@link #hour}) that the manifest says
     */
    static String published(
            String output, String hour, Incarnation incarnation, long sequence, String suffix) {
        String path = "%s/%s-%06d%s".formatted(hour, incarnation, sequence, suffix);
        return output.isEmpty() ? path : output + "/" + path;
    }

    /**
     * True if two paths may be of the same published file: they differ in the hour at most. One
     * without an hour is understood too.
     */
    static boolean sameButForTheHour(String path, String other) {
        return withoutHour(path).equals(withoutHour(other));
    }

    private static String withoutHour(String path) {
        return HOURS.matcher(path).replaceFirst("");
    }

    static boolean isPublishedBy(Incarnation incarnation, String path) {
        return path.substring(path.lastIndexOf('/') + 1).startsWith(incarnation + "-");
    }

    static String workLog(long sequence) {
        return "work-%06d.log".formatted(sequence);
    }

    static String frozenLog(long sequence) {
        return "frozen-%06d.log".formatted(sequence);
    }

    static String manifest(long sequence) {
        return "manifest-%06d.bin".formatted(sequence);
    }

    /** Says that the files of this manifest are lost for good. */
    static String lost(long sequence) {
        return "lost-%06d.json".formatted(sequence);
    }

    private static final String WITHDRAWN = "withdrawn-";

    /** Where a file goes that stood under a name that was declared lost. */
    static String withdrawn(long sequence, int number) {
        return "%s%06d-%d".formatted(WITHDRAWN, sequence, number);
    }

    /** True for what a sealed directory keeps. */
    static boolean isKept(String name) {
        return name.equals(SEALED)
                || name.startsWith(WITHDRAWN)
                || numbered(name)
                        .filter(n -> n.kind() == Kind.MANIFEST || n.kind() == Kind.LOST)
                        .isPresent();
    }

    /** Which work log a published file is of, by its name; empty: it is no published file's. */
    static Optional<LostFiles.Named> publication(String path) {
        Matcher matcher = PUBLISHED.matcher(last(path.startsWith("/") ? path : "/" + path));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return incarnation(matcher.group(1))
                .map(of -> new LostFiles.Named(of, Long.parseLong(matcher.group(2))));
    }

    static Optional<Numbered> numbered(String name) {
        Matcher matcher = IN_WORK.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Kind kind =
                switch (matcher.group(1)) {
                    case "work" -> Kind.WORK;
                    case "frozen" -> Kind.FROZEN;
                    case "lost" -> Kind.LOST;
                    default -> Kind.MANIFEST;
                };
        return Optional.of(new Numbered(kind, Long.parseLong(matcher.group(2))));
    }

    static String sealed(Incarnation incarnation) {
        return incarnation + ".sealed";
    }

    /**
     * Where a directory goes that stood at a name after another was moved away from there.
     *
     * @param key the directory's own, so that two sealers choose the same name, and neither moves
     *     the other's tombstone
     */
    static String sealedLate(Incarnation incarnation, String key) {
        return sealed(incarnation) + "-" + key.replaceAll("[^A-Za-z0-9]", "_");
    }

    /** The incarnation of a name in the work area; empty if it is none of ours. */
    static Optional<Incarnation> incarnation(String name) {
        Matcher matcher = SEALED_DIRECTORY.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Incarnation.parse(matcher.group(1)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static String last(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
