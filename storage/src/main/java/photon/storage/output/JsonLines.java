package photon.storage.output;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** One event a line, each ended by a line feed. */
public final class JsonLines implements OutputFormat {
    @Override
    public String suffix() {
        return ".jsonl";
    }

    @Override
    public @Nullable String refusal(ByteString event) {
        if (event.isEmpty()) {
            return "Expected a JSON line, but it is empty";
        }
        for (int i = 0; i < event.size(); i++) {
            if (event.byteAt(i) == '\n') {
                return "Expected one JSON line, but it has a line feed at byte " + i;
            }
        }
        return null;
    }

    @Override
    public EventWriter begin(OutputStream file) {
        return new EventWriter() {
            @Override
            public void write(ByteString event) throws IOException {
                event.writeTo(file);
                file.write('\n');
            }

            @Override
            public void end() {
                // nothing stands at the end
            }
        };
    }
}
