package photon.storage.tail;

import java.io.IOException;

/** The bytes of one file without its compression, in order. Closing it leaves the file open. */
interface ByteSource extends AutoCloseable {
    /**
     * Reads on.
     *
     * @param length at least 1
     * @return how many bytes came; 0: none now, perhaps later
     */
    int read(byte[] into, int offset, int length) throws IOException, CorruptStreamException;

    /**
     * Goes to this offset of the uncompressed bytes, or as far towards it as is cheap.
     *
     * @return where it is then
     */
    long seek(long offset);

    /**
     * After {@link #read} gave 0: true if everything so far is whole, so that a last line is, too.
     */
    boolean complete();

    /**
     * How many bytes the last {@link #read} decompressed only to check them. Not 0 although no byte
     * came: it is to be asked again at once.
     */
    default int checkedBytes() {
        return 0;
    }

    /**
     * Where in the file the member begins that the next bytes are of, or the last one did if it has
     * not ended; 0: there are no members.
     */
    default long memberRaw() {
        return 0;
    }

    /** The same in uncompressed bytes. */
    default long memberOffset() {
        return 0;
    }

    /** {@link MemberSource#windowBytes}. */
    default long windowBytes() {
        return 0;
    }

    /** True: the file has become shorter than what was read of it. */
    default boolean cutOff() throws IOException {
        return false;
    }

    /** How much of the file, compressed as it is, was read. */
    long rawPosition();

    @Override
    void close();
}
