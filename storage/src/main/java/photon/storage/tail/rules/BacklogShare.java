package photon.storage.tail.rules;

/**
 * How many of those that are to be taken are a backlog's own, while others that are read live have
 * more to be taken as well. What is left of a part is not lost, so that also one at a time keeps to
 * the share. Not thread-safe.
 */
public final class BacklogShare {
    private final int percent;
    private long hundredths;

    /**
     * @param percent 1 to 99
     */
    public BacklogShare(int percent) {
        this.percent = percent;
    }

    /** Of so many, those that a backlog has for itself. To be asked once for them. */
    public int ofNext(int count) {
        hundredths += (long) count * percent;
        int own = (int) (hundredths / 100);
        hundredths -= own * 100L;
        return own;
    }
}
