package photon.storage.avro;

/** Bytes are not what Avro writes. Carries the reason; has no stack trace. */
public final class AvroFormatException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean tooShort;

    public AvroFormatException(String reason) {
        this(reason, false);
    }

    AvroFormatException(String reason, boolean tooShort) {
        super(reason, null, false, false);
        this.tooShort = tooShort;
    }

    public String reason() {
        String message = getMessage();
        return message == null ? "" : message;
    }

    /** True: the bytes end in the midst of a value. */
    public boolean tooShort() {
        return tooShort;
    }
}
