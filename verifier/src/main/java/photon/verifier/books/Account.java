package photon.verifier.books;

/** Under what a foreign identity counts: the first of these that is true of it. */
enum Account {
    /** Stands in a published file that is as its manifest says. */
    JOINED,
    /** In a dead-letter log. */
    DEAD_LETTERED,
    /** In a retry journal. */
    WAITING,
    /** May have been joined, and nobody can tell. */
    OUTCOME_LOST,
    /** In a skip log. */
    SKIPPED,
    /** Every datacenter has yet to read every record of it. */
    UNREAD,
    /** Read, and nowhere to be found: the books do not balance. */
    UNACCOUNTED
}
