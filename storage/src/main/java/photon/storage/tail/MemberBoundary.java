package photon.storage.tail;

/**
 * Where a member of a compressed file begins, whose bytes before it were all taken: what to go on
 * from when the file is opened again, since a compressed stream cannot be sought.
 *
 * @param raw in the file
 * @param offset of the uncompressed bytes
 * @param last the byte before it, if {@code lastKnown}
 */
record MemberBoundary(long raw, long offset, byte last, boolean lastKnown) {
    /** The very beginning. */
    static final MemberBoundary NONE = new MemberBoundary(0, 0, (byte) 0, false);

    /** True: one may read from here to come to this offset. */
    boolean leadsTo(long target) {
        return offset < target || (offset == target && lastKnown);
    }
}
