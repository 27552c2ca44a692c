package photon.storage.tail;

import java.io.IOException;
import java.util.Arrays;

/**
 * The bytes of a compressed file's members whose checksums were found right, and no others
 * (docs/protocol.md section 12). A member is decompressed to its end first. A small one is kept in
 * memory meanwhile; a larger one is decompressed again to be handed out, so that a member may be
 * larger than memory.
 */
final class VerifiedSource implements ByteSource {
    /** A member up to so large, uncompressed, is decompressed once. */
    static final int HELD_BYTES_MAX = 1 << 20;

    private static final int HELD_BYTES_MIN = 16 << 10;

    /** So much is checked in one reading at most, so that other files have their turn. */
    private static final int CHECKED_BYTES_MAX = 256 << 10;

    /** What the end of a member counts: a file of empty ones has its bound, too. */
    private static final int END_COST = 64;

    private static final byte[] NOTHING = new byte[0];

    private final MemberSource source;
    private byte[] held = NOTHING;
    private int heldBytes;
    private int given; // of what is held
    private long memberStart; // raw
    private long memberOffset; // uncompressed
    private long length; // of the member, as far as it was checked
    private long left; // of the member that is handed out by reading it again
    private int checked;
    private boolean dry; // all of the file was used
    private State state = State.CHECKING;

    /** What becomes of the member that begins at {@link #memberStart}. */
    private enum State {
        /** Its checksum has not come yet; leaves when it has. */
        CHECKING,
        /** It is right, and held; leaves when all is given. */
        HELD,
        /** It is right, and read again; leaves at its end. */
        AGAIN
    }

    /**
     * @param from where the source stands
     */
    VerifiedSource(MemberSource source, MemberBoundary from) {
        this.source = source;
        this.memberStart = from.raw();
        this.memberOffset = from.offset();
    }

    @Override
    public int read(byte[] into, int offset, int max) throws IOException, CorruptStreamException {
        checked = 0;
        while (true) {
            switch (state) {
                case CHECKING -> {
                    if (!check()) {
                        return 0;
                    }
                }
                case HELD -> {
                    if (given < heldBytes) {
                        int n = Math.min(max, heldBytes - given);
                        System.arraycopy(held, given, into, offset, n);
                        given += n;
                        return n;
                    }
                    begin();
                }
                case AGAIN -> {
                    int n = source.next(into, offset, max);
                    left -= Math.max(n, 0);
                    if (left < 0 || (n == MemberSource.MEMBER_END && left > 0)) {
                        throw new CorruptStreamException(
                                "The member at byte %s has changed after it was checked"
                                        .formatted(memberStart));
                    }
                    if (n != MemberSource.MEMBER_END) {
                        return n;
                    }
                    begin();
                }
            }
        }
    }

    /** True: the member is right. False: the file ends, or enough was done for now. */
    private boolean check() throws IOException, CorruptStreamException {
        while (checked < CHECKED_BYTES_MAX) {
            boolean holds = length < HELD_BYTES_MAX;
            if (!holds) {
                heldBytes = 0; // it is read again: what comes is only checked
            }
            reserve();
            int room = Math.min(CHECKED_BYTES_MAX, held.length - heldBytes);
            int n = source.next(held, heldBytes, room);
            dry = n == 0;
            if (dry) {
                if (length == 0) {
                    held = NOTHING;
                }
                return false;
            }
            if (n == MemberSource.MEMBER_END) {
                checked += END_COST;
                end(holds);
                return true;
            }
            checked += n;
            length += n;
            heldBytes += n;
        }
        return false;
    }

    private void end(boolean holds) {
        if (holds) {
            state = State.HELD;
            given = 0;
            return;
        }
        state = State.AGAIN;
        left = length;
        source.restart(memberStart);
    }

    private void begin() {
        state = State.CHECKING;
        memberStart = source.rawPosition();
        memberOffset += length;
        length = 0;
        heldBytes = 0;
    }

    private void reserve() {
        if (heldBytes == held.length) {
            int larger = Math.max(HELD_BYTES_MIN, 4 * held.length);
            held = Arrays.copyOf(held, Math.min(HELD_BYTES_MAX, larger));
        }
    }

    @Override
    public long memberRaw() {
        return memberStart;
    }

    @Override
    public long memberOffset() {
        return memberOffset;
    }

    @Override
    public int checkedBytes() {
        return checked;
    }

    /** Only the beginning is cheap, and that is where it stands. */
    @Override
    public long seek(long offset) {
        return 0;
    }

    @Override
    public boolean complete() {
        return state == State.CHECKING && length == 0 && source.betweenMembers();
    }

    /** A member that cannot be checked to its end counts as far as it is there. */
    @Override
    public long rawPosition() {
        return state == State.CHECKING && !dry ? memberStart : source.rawPosition();
    }

    @Override
    public long windowBytes() {
        return source.windowBytes();
    }

    @Override
    public void close() {
        source.close();
    }
}
