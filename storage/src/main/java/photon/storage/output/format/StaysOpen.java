package photon.storage.output.format;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Passes everything on, but for the close: the file is its owner's. */
final class StaysOpen extends FilterOutputStream {
    StaysOpen(OutputStream file) {
        super(file);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
    }

    @Override
    public void close() {
        // see the class
    }
}
