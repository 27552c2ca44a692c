package photon.storage.format;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** What the rules see of one record: the texts of the fields that they asked for. */
interface RecordFields {
    /**
     * Text of a field, by its index in {@link EventRules#fieldNames()}; null: it has none.
     *
     * @throws BadRecordException if its bytes are no text
     */
    @Nullable String text(int index) throws BadRecordException;

    /** All fields, as one JSON object. */
    ByteString json();

    /** The record's own packed id; empty except in framed logs. */
    default ByteString nativeId() {
        return ByteString.EMPTY;
    }

    /** True: Photon wrote the record, a joined event, so its ids may be of a user's own fields. */
    default boolean joined() {
        return false;
    }

    /** Which one of those that one foreign event gave to one output it is, from 0. */
    default int ordinal() {
        return 0;
    }

    /** The record's packed primary id; empty except in framed logs. */
    default ByteString nativePrimaryId() {
        return ByteString.EMPTY;
    }
}
