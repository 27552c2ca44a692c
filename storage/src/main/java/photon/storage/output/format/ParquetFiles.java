package photon.storage.output.format;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import photon.core.config.OutputConfig;

/** Parquet files, one row an event. */
final class ParquetFiles extends RowFormat {
    /** What is held in memory before it is compressed and written, for each open file. */
    private static final long ROW_GROUP_BYTES = 32 << 20;

    private static final int PAGE_BYTES = 1 << 20;

    private final CompressionCodecName codec;

    ParquetFiles(OutputConfig config) {
        super(config);
        this.codec =
                switch (config.compression()) {
                    case NONE -> CompressionCodecName.UNCOMPRESSED;
                    case GZIP -> CompressionCodecName.GZIP;
                    case SNAPPY -> CompressionCodecName.SNAPPY;
                    case ZSTD -> CompressionCodecName.ZSTD;
                };
    }

    @Override
    public String suffix() {
        return ".parquet";
    }

    @Override
    public EventWriter begin(OutputStream file) throws IOException {
        ParquetWriter<GenericRecord> writer =
                AvroParquetWriter.<GenericRecord>builder(new InOurHands(file))
                        .withSchema(rows().schema())
                        .withDataModel(GenericData.get())
                        .withConf(new PlainParquetConfiguration())
                        .withCompressionCodec(codec)
                        .withRowGroupSize(ROW_GROUP_BYTES)
                        .withPageSize(PAGE_BYTES)
                        .build();
        return new EventWriter() {
            private boolean ended;

            @Override
            public void write(Origin from, ByteString event) throws IOException {
                writer.write(row(event));
            }

            @Override
            public void end() throws IOException {
                ended = true;
                writer.close();
            }

            @Override
            public void close() {
                if (!ended) {
                    try {
                        writer.close();
                    } catch (IOException e) {
                        // Without end() the file is rubbish, whatever it holds.
                    }
                }
            }
        };
    }

    /** A file that was created already. */
    private record InOurHands(OutputStream file) implements OutputFile {
        @Override
        public PositionOutputStream create(long blockSizeHint) {
            return new Counted(file);
        }

        @Override
        public PositionOutputStream createOrOverwrite(long blockSizeHint) {
            return create(blockSizeHint);
        }

        @Override
        public boolean supportsBlockSize() {
            return false;
        }

        @Override
        public long defaultBlockSize() {
            return 0;
        }
    }

    /** Tells how far it is; the file stays open. */
    private static final class Counted extends PositionOutputStream {
        private final OutputStream file;
        private long position;

        Counted(OutputStream file) {
            this.file = file;
        }

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int b) throws IOException {
            file.write(b);
            position++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            file.write(bytes, offset, length);
            position += length;
        }
    }
}
