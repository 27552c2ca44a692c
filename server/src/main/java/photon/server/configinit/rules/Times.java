package photon.server.configinit.rules;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import photon.core.config.TimestampConfig;
import photon.server.configtest.rules.Dates;
import photon.server.configtest.rules.Trials;
import photon.storage.format.TimestampText;

/** Which fields of a table hold dates from 2000 to tomorrow, and how they are read. */
final class Times {
    private static final int LOOKED_AT_MAX = 2_000;
    private static final int FIRST_LOOK = 10;
    private static final Pattern NANOS = Pattern.compile("[0-9]{19}");
    private static final ZoneId UTC = ZoneId.of("UTC");

    private final Table table;
    private final long nowMicros;
    private final Map<String, Optional<TimestampConfig>> known = new HashMap<>();

    Times(Table table, long nowMicros) {
        this.table = table;
        this.nowMicros = nowMicros;
    }

    /** Empty: its values are no such dates, in any one unit or pattern. */
    Optional<TimestampConfig> reading(String field) {
        return known.computeIfAbsent(field, this::find);
    }

    /** A field of dates that is not called an id. */
    boolean isTime(String field) {
        return !Names.isOfId(field) && reading(field).isPresent();
    }

    /** Dates that the field has by this setting, of those values that it fits. */
    List<Long> micros(TimestampConfig setting) {
        TimestampText text = TimestampText.of(setting);
        List<Long> found = new ArrayList<>();
        for (String value : looked(setting.field())) {
            text.micros(value).ifPresent(found::add);
        }
        return found;
    }

    /** They would be dates if they were nanoseconds. */
    boolean isNanos(String field) {
        List<String> values = looked(field);
        return !values.isEmpty()
                && values.stream()
                        .allMatch(
                                value ->
                                        NANOS.matcher(value).matches()
                                                && Dates.isPlausible(
                                                        Long.parseLong(value.substring(0, 16)),
                                                        nowMicros));
    }

    private Optional<TimestampConfig> find(String field) {
        List<String> values = looked(field);
        if (values.isEmpty()) {
            return Optional.empty();
        }
        for (TimestampConfig setting : settings(field, values.get(0))) {
            TimestampText text = TimestampText.of(setting);
            List<String> first = values.subList(0, Math.min(FIRST_LOOK, values.size()));
            if (fits(text, first) && fits(text, values)) {
                return Optional.of(setting);
            }
        }
        return Optional.empty();
    }

    private static List<TimestampConfig> settings(String field, String example) {
        List<TimestampConfig> settings = new ArrayList<>();
        if (Values.isNumber(example)) {
            for (TimestampConfig.Unit unit : TimestampConfig.Unit.values()) {
                settings.add(new TimestampConfig.Numeric(field, unit));
            }
        }
        Trials.PATTERNS.forEach(
                pattern -> settings.add(new TimestampConfig.Pattern(field, pattern, UTC)));
        return settings;
    }

    private boolean fits(TimestampText text, List<String> values) {
        long right = 0;
        for (String value : values) {
            OptionalLong micros = text.micros(value);
            right += micros.isPresent() && Dates.isPlausible(micros.getAsLong(), nowMicros) ? 1 : 0;
        }
        return Table.isNearlyAll(right, values.size());
    }

    private List<String> looked(String field) {
        List<String> values = table.values(field);
        return values.subList(0, Math.min(LOOKED_AT_MAX, values.size()));
    }
}
