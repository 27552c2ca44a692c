package photon.storage.tail;

import java.io.IOException;

/** The bytes of a compressed file as they come, before their member's checksum has. */
final class TrustedSource implements ByteSource {
    private final MemberSource source;

    TrustedSource(MemberSource source) {
        this.source = source;
    }

    @Override
    public int read(byte[] into, int offset, int length)
            throws IOException, CorruptStreamException {
        int n;
        do {
            n = source.next(into, offset, length);
        } while (n == MemberSource.MEMBER_END);
        return n;
    }

    /** Only the beginning is cheap, and that is where it stands. */
    @Override
    public long seek(long offset) {
        return 0;
    }

    @Override
    public boolean complete() {
        return source.betweenMembers();
    }

    @Override
    public long rawPosition() {
        return source.rawPosition();
    }

    @Override
    public void close() {
        source.close();
    }
}
