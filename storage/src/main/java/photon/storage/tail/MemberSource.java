package photon.storage.tail;

import java.io.IOException;

/**
 * The bytes of a compressed file, member by member (a gzip member, a zstd frame). Can stop anywhere
 * and go on when the file has grown. Closing it leaves the file open.
 */
interface MemberSource extends AutoCloseable {
    /** A member has ended, and its checksum is right. */
    int MEMBER_END = -1;

    /**
     * Reads on within one member.
     *
     * @param length at least 1
     * @return how many bytes came; 0: none now, perhaps later; {@link #MEMBER_END}
     * @throws CorruptStreamException also if the member's checksum is wrong
     */
    int next(byte[] into, int offset, int length) throws IOException, CorruptStreamException;

    /**
     * Goes back to where a member begins.
     *
     * @param rawPosition what {@link #rawPosition} was behind the member before; 0 for the first
     */
    void restart(long rawPosition);

    /** How much of the file, compressed as it is, was used. */
    long rawPosition();

    /** After {@link #next} gave 0: true if all members so far are whole, and there is one. */
    boolean betweenMembers();

    /** How much memory outside of the heap it keeps for what it may have to repeat. */
    default long windowBytes() {
        return 0;
    }

    @Override
    void close();
}
