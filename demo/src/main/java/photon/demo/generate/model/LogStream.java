package photon.demo.generate.model;

/** The two kinds of logs. */
public enum LogStream {
    PRIMARY(0, "primary"),
    FOREIGN(1, "foreign");

    private final int index;
    private final String directory;

    LogStream(int index, String directory) {
        this.index = index;
        this.directory = directory;
    }

    /** From 0 on; part of what a seed means. */
    public int index() {
        return index;
    }

    /** Its logs' own. */
    public String directory() {
        return directory;
    }
}
