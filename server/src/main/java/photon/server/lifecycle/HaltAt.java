package photon.server.lifecycle;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import photon.core.crash.CrashPoint;
import photon.core.crash.CrashPoints;
import photon.core.error.ConfigException;

/**
 * A switch for tests: halts the process, as a power cut would, when a point was passed so many
 * times. {@code -Dphoton.test.halt-at=commit-accepted:3,publishing:1}.
 */
public final class HaltAt implements CrashPoints {
    /** Exit status of a process that was halted, as after SIGKILL. */
    public static final int STATUS = 137;

    public static final String PROPERTY = "photon.test.halt-at";

    private final Map<CrashPoint, AtomicLong> passesLeft = new EnumMap<>(CrashPoint.class);

    private HaltAt(String points) {
        for (String point : points.split(",", -1)) {
            String[] parts = point.split(":", -1);
            try {
                passesLeft.put(find(parts[0]), new AtomicLong(Long.parseLong(parts[1])));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new ConfigException(
                        PROPERTY + " is '" + points + "': expected POINT:COUNT[,...]");
            }
        }
    }

    public static CrashPoints fromSystemProperties() {
        String points = System.getProperty(PROPERTY, "");
        return points.isEmpty() ? CrashPoints.none() : new HaltAt(points);
    }

    private static CrashPoint find(String label) {
        return Arrays.stream(CrashPoint.values())
                .filter(p -> p.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new ConfigException(
                                        PROPERTY
                                                + " names '"
                                                + label
                                                + "': expected a crash point's label"));
    }

    @Override
    public void passed(CrashPoint point) {
        AtomicLong left = passesLeft.get(point);
        if (left != null && left.decrementAndGet() == 0) {
            System.err.println("photon: halted at " + point.label());
            Runtime.getRuntime().halt(STATUS);
        }
    }
}
