package photon.eventstore.index;

import java.util.List;

/**
 * Decides which sealed parts become one: as soon as enough of about one size are neighbours, so
 * that a lookup visits few and a row is written once a size; and a part of which most rows stand
 * for dropped segments, alone.
 */
final class MergeChoice {
    private final int partsMerged;
    private final long rowsMax;
    private final long rowsOfSmallest;

    MergeChoice(IndexLimits limits) {
        this.partsMerged = limits.partsMerged();
        this.rowsMax = limits.partRowsMax();
        this.rowsOfSmallest = limits.recentRows();
    }

    /**
     * A part.
     *
     * @param rows in it
     * @param live those of them that may stand for something: at most the events of its segments
     *     that are held
     */
    record Part(long rows, long live) {}

    /** The first part to merge, and how many from there on; a count of 0 means no merge. */
    record Choice(int from, int count) {
        static final Choice NONE = new Choice(0, 0);
    }

    /**
     * @param parts oldest first
     */
    Choice choose(List<Part> parts) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).rows() > 2 * parts.get(i).live()) {
                return new Choice(i, 1);
            }
        }
        int largest = parts.stream().mapToInt(part -> size(part.rows())).max().orElse(0);
        for (int size = 0; size <= largest; size++) {
            Choice choice = choose(parts, size);
            if (choice.count() > 0) {
                return choice;
            }
        }
        return Choice.NONE;
    }

    /** Enough of this size, with the smaller ones that stand between them. */
    private Choice choose(List<Part> parts, int size) {
        int from = 0;
        int found = 0;
        long rows = 0;
        for (int at = 0; at < parts.size(); at++) {
            int here = size(parts.get(at).rows());
            if (here > size) {
                found = 0;
                continue;
            }
            if (found == 0) {
                from = at;
                rows = 0;
            }
            rows += parts.get(at).rows();
            found += here == size ? 1 : 0;
            if (found == partsMerged && rows <= rowsMax) {
                return new Choice(from, at - from + 1);
            }
        }
        return Choice.NONE;
    }

    /** How many merges its rows have seen, about. */
    private int size(long rows) {
        int size = 0;
        for (long limit = rowsOfSmallest; rows > limit; limit *= partsMerged) {
            size++;
        }
        return size;
    }
}
