package photon.storage.output.format;

import com.google.protobuf.ByteString;
import java.io.IOException;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;
import photon.core.config.OutputConfig;
import photon.storage.output.format.JoinedRows.NoRowException;

/** What formats with a schema share. */
abstract class RowFormat implements OutputFormat {
    private final JoinedRows rows;

    RowFormat(OutputConfig config) {
        this.rows = new JoinedRows(config.fields());
    }

    final JoinedRows rows() {
        return rows;
    }

    @Override
    public final @Nullable String refusal(ByteString event) {
        return rows.refusal(event);
    }

    @Override
    public final boolean refusalIsDear() {
        return true;
    }

    /** The row of an event of a work log, whose events were not refused. */
    final GenericRecord row(ByteString event) throws IOException {
        try {
            return rows.row(event);
        } catch (NoRowException e) {
            throw new IOException("A work log holds an event that is no row: " + e.getMessage(), e);
        }
    }
}
