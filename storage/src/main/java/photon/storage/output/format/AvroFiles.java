package photon.storage.output.format;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import photon.core.config.OutputConfig;

/** Avro container files, one row an event. */
final class AvroFiles extends RowFormat {
    private static final int ZSTD_LEVEL = 3;

    /** Between blocks; random by default, and then two writers would not give the same bytes. */
    private static final byte[] SYNC = {
        'p', 'h', 'o', 't', 'o', 'n', ' ', 'j', 'o', 'i', 'n', 'e', 'd', ' ', '\r', '\n'
    };

    private final OutputConfig.Compression compression;

    AvroFiles(OutputConfig config) {
        super(config);
        this.compression = config.compression();
    }

    @Override
    public String suffix() {
        return ".avro";
    }

    private CodecFactory codec() {
        return switch (compression) {
            case SNAPPY -> CodecFactory.snappyCodec();
            case ZSTD -> CodecFactory.zstandardCodec(ZSTD_LEVEL, true);
            default -> CodecFactory.nullCodec();
        };
    }

    @Override
    public EventWriter begin(OutputStream file) throws IOException {
        DataFileWriter<GenericRecord> writer =
                new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(rows().schema()))
                        .setCodec(codec());
        writer.create(rows().schema(), new StaysOpen(file), SYNC.clone());
        return new EventWriter() {
            @Override
            public void write(Origin from, ByteString event) throws IOException {
                writer.append(row(event));
            }

            @Override
            public void end() throws IOException {
                writer.close();
            }

            @Override
            public void close() {
                // nothing but memory of the heap
            }
        };
    }
}
