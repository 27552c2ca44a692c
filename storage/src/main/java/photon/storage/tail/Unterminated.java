package photon.storage.tail;

/**
 * What stands half-written at the end of a file.
 *
 * @param offset in a compressed file counted in uncompressed bytes
 * @param length uncompressed bytes that can be read of it; may be 0 in a compressed file
 */
public record Unterminated(String path, long offset, long length) {
    static Unterminated of(TailedFile file) {
        long offset = file.badFrom >= 0 ? file.badFrom : file.offset;
        return new Unterminated(file.path, offset, file.leftoverLength);
    }
}
