package photon.core.trace;

/** Why an attempt is traced; the first that holds. */
public enum TraceReason {
    /** Its output was lost, and it is joined anew. */
    REPAIRED,

    /** It ends after it had been tried before. */
    RETRIED,

    /** It took long. */
    SLOW,

    /** Its event is one of those whose every attempt is traced, in every datacenter. */
    SAMPLED
}
