package photon.storage.tail;

import java.io.IOException;

/** The bytes of a compressed file as they come, before their member's checksum has. */
final class TrustedSource implements ByteSource {
    private final MemberSource source;
    private long memberRaw;
    private long memberOffset;
    private long given;

    /**
     * @param from where the source stands
     */
    TrustedSource(MemberSource source, MemberBoundary from) {
        this.source = source;
        this.memberRaw = from.raw();
        this.memberOffset = from.offset();
        this.given = from.offset();
    }

    @Override
    public int read(byte[] into, int offset, int length)
            throws IOException, CorruptStreamException {
        int n;
        while ((n = source.next(into, offset, length)) == MemberSource.MEMBER_END) {
            memberRaw = source.rawPosition();
            memberOffset = given;
        }
        given += n;
        return n;
    }

    @Override
    public long memberRaw() {
        return memberRaw;
    }

    @Override
    public long memberOffset() {
        return memberOffset;
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
    public long windowBytes() {
        return source.windowBytes();
    }

    @Override
    public void close() {
        source.close();
    }
}
