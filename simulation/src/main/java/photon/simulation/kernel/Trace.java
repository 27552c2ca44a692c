package photon.simulation.kernel;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a world. It is always hashed, so that two runs of a seed can be compared, and
 * kept as text for people where asked.
 */
public final class Trace {
    private final boolean kept;
    private final List<String> lines = new ArrayList<>();
    private @Nullable Timeline timeline;
    private long hash = 0x9E3779B97F4A7C15L;
    private long count;

    /**
     * @param kept true: every line is kept; takes memory and time
     */
    public Trace(boolean kept) {
        this.kept = kept;
    }

    void follow(Timeline world) {
        timeline = world;
    }

    /** True if text is kept: what is costly to put into words is so only then. */
    public boolean kept() {
        return kept;
    }

    /**
     * @param who a process, or "world"
     */
    public void add(String who, String what) {
        mix(who, what);
        if (kept) {
            keep(who, what);
        }
    }

    /**
     * @param format as of {@link String#format}; the values are hashed by their text, so they may
     *     hold nothing that differs between two runs
     */
    @FormatMethod
    public void add(String who, @FormatString String format, @Nullable Object... values) {
        mix(who, format);
        for (Object value : values) {
            hash = hash * 31 + String.valueOf(value).hashCode();
        }
        if (kept) {
            keep(who, String.format(Locale.ROOT, format, values));
        }
    }

    /** A step that happens too often for a line. */
    public void mix(String who, String what) {
        long now = timeline == null ? 0 : timeline.nowNanos();
        hash = Long.rotateLeft(hash, 7) * 0xBF58476D1CE4E5B9L;
        hash ^= now * 31 + who.hashCode() * 17L + what.hashCode();
        count++;
    }

    /** Words that are not hashed: only where {@link #kept}. */
    public void note(String who, String what) {
        if (kept) {
            keep(who, what);
        }
    }

    private void keep(String who, String what) {
        long micros = timeline == null ? 0 : timeline.nowNanos() / 1_000;
        lines.add(
                String.format(
                        Locale.ROOT,
                        "%02d:%02d.%06d %-18s %s",
                        micros / 60_000_000,
                        micros / 1_000_000 % 60,
                        micros % 1_000_000,
                        who,
                        what));
    }

    /** The same for the same seed and program, on every machine. */
    public long hash() {
        return hash ^ count;
    }

    /** Empty unless {@link #kept}. */
    public List<String> lines() {
        return Collections.unmodifiableList(lines);
    }
}
