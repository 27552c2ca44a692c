package photon.core.id;

/**
 * The two slots of a joiner, between which its process rolls (docs/protocol.md section 1). A joiner
 * starts in the first one, whose name is the joiner's own.
 *
 * @param joiner such as {@code east/joiner-0}
 */
public record SlotPair(String joiner) {
    /** No joiner's name ends so: '~' is in none. */
    private static final String SECOND = "~b";

    /**
     * @param slotName either slot's
     */
    public static SlotPair of(String slotName) {
        return new SlotPair(
                slotName.endsWith(SECOND)
                        ? slotName.substring(0, slotName.length() - SECOND.length())
                        : slotName);
    }

    public String first() {
        return joiner;
    }

    public String second() {
        return joiner + SECOND;
    }

    public boolean has(String slotName) {
        return slotName.equals(first()) || slotName.equals(second());
    }

    /**
     * @param slotName either of the two
     */
    public String other(String slotName) {
        return slotName.equals(first()) ? second() : first();
    }
}
