package photon.idregistry.replicated;

import photon.core.error.BugException;

/**
 * Which kinds of log entries and snapshots a registry may write (docs/protocol.md section 11). A
 * replica that meets an entry that it does not know can only end; so a kind of a later level is
 * written only when the control group's level says that every server understands it.
 */
public final class FeatureLevel {
    /** Of servers that have not told. */
    public static final int LOWEST = 1;

    /** What this software understands: one more with each version that adds a kind. */
    public static final int SUPPORTED = 4;

    /** From here on a datacenter may be retired. */
    public static final int RETIRED_DATACENTERS = 2;

    /**
     * Beyond this one an operator raises the level, who first sees that the new version is well.
     */
    public static final int RAISED_BY_OPERATOR = 3;

    /**
     * From here on tokens may tell that an id is joined unmatched. A replica that does not know
     * that rule would make an id free that others keep.
     */
    public static final int UNMATCHED_KIND = 4;

    private FeatureLevel() {}

    /** To be thrown for something that this software does not know. */
    public static BugException unknown(String what) {
        return new BugException(
                what
                        + " is not known to this software, which understands feature level "
                        + SUPPORTED
                        + ": a later version has written it; start that one again");
    }
}
