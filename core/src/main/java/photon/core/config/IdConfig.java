package photon.core.config;

import java.util.List;

/** Where an id stands in a record. */
public sealed interface IdConfig {
    /** A user's own id: one or more fields, in this order. */
    record User(List<String> from) implements IdConfig {
        public User {
            from = List.copyOf(from);
        }
    }

    /** Framed logs: the record's own id, or its primary id. */
    record Native() implements IdConfig {}

    /** A native id spread over three fields: address, process id, timestamp in microseconds. */
    record NativeFields(String server, String process, String timestamp) implements IdConfig {}
}
