package photon.demo;

/**
 * Something that people should notice: "east killed", "leader of shard 1 moved to west in 0.9 s".
 *
 * @param atMillis since the demo's start
 */
public record DemoEvent(long atMillis, String text, Kind kind) {
    /** Decides how it is drawn. */
    public enum Kind {
        KILL,
        RETURN,
        LEADER,
        INFO
    }
}
