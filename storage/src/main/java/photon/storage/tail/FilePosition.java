package photon.storage.tail;

/**
 * How far a file has been read; what a checkpoint stores. A file is known again by its key and its
 * first bytes together: each alone has lost data elsewhere (keys are used again, first bytes are
 * alike).
 *
 * @param path where it stood last, for people
 * @param key {@link photon.storage.files.FileStore.FileInfo#key()}
 * @param prefixLength how many first bytes the hash covers
 * @param prefixHash hex
 * @param offset the next byte to read; in a compressed file counted in uncompressed bytes
 */
public record FilePosition(
        String path, String key, int prefixLength, String prefixHash, long offset) {}
