package photon.joiner.output;

/** When a record counts as flushed, so that the dispatcher may be answered. */
public enum Durability {
    /** It survives a power cut. */
    SYNCED,
    /** It survives the death of the process; what a power cut loses is the verifier's to repair. */
    FLUSHED
}
