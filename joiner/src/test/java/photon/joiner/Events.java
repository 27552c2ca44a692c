package photon.joiner;

import com.google.protobuf.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.core.id.UserKey;
import photon.proto.v1.Event;
import photon.proto.v1.JoinItem;

/** Events of tests: click n of page n. */
public final class Events {
    private Events() {}

    /** Microseconds of event 0. */
    public static final long START_MICROS = 1_700_000_000_000_000L;

    public static EventId id(long n) {
        return EventId.ofUser(START_MICROS + n, UserKey.of(List.of("click-" + n)));
    }

    public static ByteString primaryKey(long n) {
        return ByteString.copyFrom(UserKey.of(List.of("page-" + n)).encoded());
    }

    public static Event foreign(long n) {
        return Event.newBuilder()
                .setId(ByteString.copyFrom(id(n).toBytes()))
                .setKey(ByteString.copyFrom(UserKey.of(List.of("click-" + n)).encoded()))
                .setIdText("click-" + n)
                .setPrimaryKey(primaryKey(n))
                .setPrimaryIdText("page-" + n)
                .setJson(ByteString.copyFromUtf8("{\"n\":" + n + "}"))
                .build();
    }

    /** The page that a key names. */
    public static Event primary(ByteString key) {
        UserKey user = UserKey.ofEncoded(key.toByteArray());
        return Event.newBuilder()
                .setId(ByteString.copyFrom(EventId.ofUser(START_MICROS - 1, user).toBytes()))
                .setKey(key)
                .setIdText("page")
                .setJson(ByteString.copyFromUtf8("{\"page\":true}"))
                .build();
    }

    public static JoinItem item(long number, long n, @Nullable CommitToken lost) {
        JoinItem.Builder item = JoinItem.newBuilder().setNumber(number).setEvent(foreign(n));
        if (lost != null) {
            item.setLostToken(Packed.tokens(List.of(lost)));
        }
        return item.build();
    }
}
