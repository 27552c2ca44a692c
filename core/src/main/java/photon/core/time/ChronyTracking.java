package photon.core.time;

import java.io.IOException;

/**
 * What chronyd says of the clock that it keeps: one answer of {@code chronyc -c tracking}.
 *
 * @param stratum 0: it follows nothing
 * @param offsetMicros what the system clock still is off, either way
 * @param driftPartsPerMillion how much its rate may be wrong: residual frequency, skew, and what
 *     chronyd itself allows for any clock
 * @param rootDelayMicros round trip to the root of its time
 * @param rootDispersionMicros error on the way from there, as of the answer
 * @param leap such as {@code Normal} or {@code Not synchronised}
 */
record ChronyTracking(
        int stratum,
        double offsetMicros,
        double driftPartsPerMillion,
        double rootDelayMicros,
        double rootDispersionMicros,
        String leap) {
    private static final int FIELDS = 14;
    private static final double MICROS_PER_SECOND = 1e6;

    /** chronyd's default {@code maxclockerror}. */
    private static final double CLOCK_ERROR_PARTS_PER_MILLION = 1;

    /** From here on NTP calls a clock unsynchronised. */
    private static final int STRATUM_NONE = 16;

    private static final String NOT_SYNCHRONISED = "Not synchronised";

    /**
     * @throws IOException if it is no such answer
     */
    static ChronyTracking parse(String answer) throws IOException {
        String[] fields = answer.strip().split(",", -1);
        if (fields.length != FIELDS) {
            throw new IOException(
                    "chronyc answers '%s': expected %d fields"
                            .formatted(shortened(answer), FIELDS));
        }
        try {
            return new ChronyTracking(
                    Integer.parseInt(fields[2]),
                    micros(fields[4]),
                    size(fields[8]) + size(fields[9]) + CLOCK_ERROR_PARTS_PER_MILLION,
                    micros(fields[10]),
                    micros(fields[11]),
                    fields[13]);
        } catch (NumberFormatException e) {
            throw new IOException(
                    "chronyc answers '%s': %s".formatted(shortened(answer), e.getMessage()), e);
        }
    }

    private static double micros(String seconds) {
        return size(seconds) * MICROS_PER_SECOND;
    }

    private static double size(String number) {
        double value = Double.parseDouble(number);
        if (!Double.isFinite(value)) {
            throw new NumberFormatException(number + " is not finite");
        }
        return Math.abs(value);
    }

    private static String shortened(String answer) {
        String line = answer.strip().replace('\n', ' ');
        return line.length() <= 200 ? line : line.substring(0, 200) + "...";
    }

    boolean synchronised() {
        return stratum > 0 && stratum < STRATUM_NONE && !leap.equals(NOT_SYNCHRONISED);
    }

    /**
     * The system clock is no further from true time, if the root of its time is right: the bound
     * that chrony's manual gives, and what the clock may have drifted since.
     *
     * @param ageNanos of the answer
     */
    long boundMicros(long ageNanos) {
        double bound =
                offsetMicros
                        + rootDispersionMicros
                        + rootDelayMicros / 2
                        + ageNanos / 1e9 * driftPartsPerMillion;
        return (long) Math.ceil(Math.min(bound, Long.MAX_VALUE / 4.0));
    }
}
