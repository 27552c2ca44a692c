package photon.idregistry.replicated;

/** What one more group costs each server, idle, for whoever plans. */
public final class GroupCost {
    /** Direct memory: the buffer of the log's writer. */
    public static final long DIRECT_BYTES = 2L << 20;

    /** Heap, about, without ids. */
    public static final long HEAP_BYTES = 1L << 20;

    /** Of the log on disk, at once; it grows until a snapshot is taken. */
    public static final long DISK_BYTES = 1L << 20;

    /** On a leader one more for each follower. */
    public static final int THREADS = 4;

    private GroupCost() {}
}
