package photon.dispatcher.rules;

/**
 * How many records may be read: in all, and of files with a backlog, beside others that are read
 * live. A backlog takes no more than half of what bounds memory, so that what is logged now never
 * waits for it to be done.
 *
 * @param records in all; 0: none, there is no room
 * @param ofBacklog of these; 0: none of a backlog
 */
public record IntakeRoom(int records, int ofBacklog) {
    private static final IntakeRoom NONE = new IntakeRoom(0, 0);

    /**
     * What bounds it.
     *
     * @param pollMax records a poll; two polls' worth may wait for their way on
     * @param pollMin fewer are not asked for: a poll costs the same however little it reads
     * @param heldMax events that are held; all that is read may have to be
     * @param heldWeightMax of these
     * @param weightMax of events that are read, but for those that are held
     * @param rangesMax ranges of files that are not done
     */
    public record Bounds(
            int pollMax,
            int pollMin,
            int heldMax,
            long heldWeightMax,
            long weightMax,
            int rangesMax) {}

    /**
     * What there is.
     *
     * @param held events that wait for another datacenter's turn
     * @param waiting events that wait before they may be held, or be ready
     * @param ready events that wait for their way on
     * @param weight of all but those that are held
     */
    public record Load(
            int held, long heldWeight, int waiting, int ready, long weight, long ranges) {
        Load and(Load other) {
            return new Load(
                    held + other.held,
                    heldWeight + other.heldWeight,
                    waiting + other.waiting,
                    ready + other.ready,
                    weight + other.weight,
                    ranges + other.ranges);
        }
    }

    /**
     * @param live of files that are read live, or of all where none has a backlog
     * @param backlog of the others
     */
    public static IntakeRoom of(Bounds bounds, Load live, Load backlog) {
        Load all = live.and(backlog);
        int room =
                all.heldWeight() >= bounds.heldWeightMax()
                        ? 0
                        : Math.min(
                                Math.max(0, bounds.heldMax() - all.held()) - all.waiting(),
                                bounds.pollMax());
        boolean full =
                room < bounds.pollMin()
                        || all.weight() >= bounds.weightMax()
                        || live.ready() + live.waiting() > bounds.pollMax()
                        || all.ranges() + room > bounds.rangesMax();
        return full ? NONE : new IntakeRoom(room, ofBacklog(bounds, room, backlog));
    }

    private static int ofBacklog(Bounds bounds, int room, Load backlog) {
        int heldMax = Math.max(1, bounds.heldMax() / 2);
        int left =
                Math.min(
                        heldMax - backlog.held() - backlog.waiting(),
                        bounds.pollMax() - backlog.ready() - backlog.waiting());
        int records = Math.min(room, left);
        boolean full =
                records < Math.min(bounds.pollMin(), Math.max(1, bounds.pollMax() / 2))
                        || backlog.heldWeight() >= bounds.heldWeightMax() / 2
                        || backlog.weight() >= bounds.weightMax() / 2
                        || backlog.ranges() + records > bounds.rangesMax() / 2;
        return full ? 0 : records;
    }
}
