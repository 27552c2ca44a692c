package photon.eventstore.index;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import photon.storage.tail.FilePosition;

/**
 * Writes or reads the positions of one segment, in order. Commits come many times a second, mostly
 * of the same files: the first position of a file says all and gives it a number, and later ones
 * are that number, the offset, and the time of modification. Not thread-safe.
 */
final class PositionCodec {
    private static final byte WHOLE = 3;
    private static final byte SHORT = 4;

    /** By number: what was last said as a whole. */
    private final List<FilePosition> whole = new ArrayList<>();

    private final Map<String, Integer> numbers = new HashMap<>();

    void write(DataOutputStream out, FilePosition position) throws IOException {
        Integer known = numbers.get(position.key());
        int number = known == null ? whole.size() : known;
        if (known != null && moved(whole.get(number), position).equals(moved(position, position))) {
            out.writeByte(SHORT);
            out.writeInt(number);
        } else {
            out.writeByte(WHOLE);
            out.writeInt(number);
            out.writeUTF(position.path());
            out.writeUTF(position.key());
            out.writeInt(position.prefixLength());
            out.writeUTF(position.prefixHash());
            said(number, position);
        }
        out.writeLong(position.offset());
        out.writeLong(position.modifiedMillis());
    }

    FilePosition read(DataInputStream in) throws IOException {
        byte form = in.readByte();
        if (form != WHOLE && form != SHORT) {
            throw new OtherIndexException(
                    "it has a position of form %d, which this version of Photon does not know"
                            .formatted(form));
        }
        int number = in.readInt();
        if (number < 0 || number > whole.size() || (form == SHORT && number == whole.size())) {
            throw new DamagedIndexException(
                    "Expected a position of one of %d files, but got number %d"
                            .formatted(whole.size(), number));
        }
        if (form == WHOLE) {
            said(
                    number,
                    new FilePosition(in.readUTF(), in.readUTF(), in.readInt(), in.readUTF(), 0));
        }
        return at(whole.get(number), in.readLong(), in.readLong());
    }

    private void said(int number, FilePosition position) {
        if (number == whole.size()) {
            whole.add(position);
            numbers.put(position.key(), number);
        } else {
            whole.set(number, position);
        }
    }

    private static FilePosition moved(FilePosition from, FilePosition to) {
        return at(from, to.offset(), to.modifiedMillis());
    }

    private static FilePosition at(FilePosition from, long offset, long modifiedMillis) {
        return new FilePosition(
                from.path(),
                from.key(),
                from.prefixLength(),
                from.prefixHash(),
                offset,
                modifiedMillis);
    }
}
