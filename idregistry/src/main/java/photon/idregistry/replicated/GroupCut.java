package photon.idregistry.replicated;

/**
 * One group's state as of one entry of its log, on disk: everything up to it, nothing behind it.
 *
 * @param files there for some minutes behind the last use of them; then reading fails
 */
public record GroupCut(long term, long index, SnapshotReader files) {}
