package photon.storage.format;

/** A record is bad. Carries the reason out of the parts of a parser; has no stack trace. */
final class BadRecordException extends Exception {
    private static final int VALUE_CHARS_MAX = 100;

    // Exceptions are serializable, and this one is never serialized.
    private final transient BadCause badCause;

    BadRecordException(String reason) {
        this(reason, BadCause.OTHER);
    }

    BadRecordException(String reason, BadCause badCause) {
        super(reason, null, false, false);
        this.badCause = badCause;
    }

    static BadRecordException noJson(String reason) {
        return new BadRecordException(reason, new BadCause.NoJson());
    }

    static BadRecordException of(String field, String expected, String value) {
        return new BadRecordException(
                "Expected %s to be %s, but it is '%s'".formatted(field, expected, cut(value)));
    }

    static BadRecordException missing(String field) {
        return new BadRecordException(
                "Expected a value of the field %s, but the record has none".formatted(field),
                new BadCause.NoValue(field));
    }

    /** As a record that is bad for this reason. */
    Parsed.Bad bad() {
        return new Parsed.Bad(reason(), badCause);
    }

    String reason() {
        String message = getMessage();
        return message == null ? "" : message;
    }

    private static String cut(String value) {
        return value.length() <= VALUE_CHARS_MAX
                ? value
                : value.substring(0, VALUE_CHARS_MAX) + "...";
    }
}
