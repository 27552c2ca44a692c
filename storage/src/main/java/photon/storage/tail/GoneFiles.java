package photon.storage.tail;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * What a checkpoint keeps of files that went away long ago: not each position, only how many there
 * were and how young the youngest was (docs/protocol.md section 7). Immutable.
 *
 * @param files how many
 * @param lastPath where the youngest stood; empty: none
 * @param newestMillis when the youngest was last modified, in milliseconds since 1970
 */
public record GoneFiles(long files, String lastPath, long newestMillis) {
    public static final GoneFiles NONE = new GoneFiles(0, "", 0);

    @JsonIgnore
    public boolean isEmpty() {
        return files == 0;
    }

    /** One more. */
    public GoneFiles and(FilePosition gone) {
        boolean younger = files == 0 || gone.modifiedMillis() > newestMillis;
        return new GoneFiles(
                files + 1,
                younger ? gone.path() : lastPath,
                younger ? gone.modifiedMillis() : newestMillis);
    }

    /** These and those of another partition, which has other files. */
    public GoneFiles plus(GoneFiles other) {
        boolean younger = isEmpty() || (!other.isEmpty() && other.newestMillis > newestMillis);
        GoneFiles youngest = younger ? other : this;
        return new GoneFiles(files + other.files, youngest.lastPath, youngest.newestMillis);
    }
}
