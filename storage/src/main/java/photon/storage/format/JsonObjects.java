package photon.storage.format;

import com.google.protobuf.ByteString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether bytes are a record that the parsers of JSON lines and of frames take. */
public final class JsonObjects {
    private JsonObjects() {}

    /** Why these bytes are not one JSON object; null: they are. */
    public static @Nullable String refusal(ByteString bytes) {
        byte[] copy = bytes.toByteArray();
        try {
            new JsonFields(List.of()).read(copy, 0, copy.length);
            return null;
        } catch (BadRecordException e) {
            return e.bad().reason();
        }
    }
}
