package photon.verifier.repair;

/** How one attempt at the repair of an incarnation ended. */
sealed interface RepairResult {
    /**
     * The registry has it as repaired.
     *
     * @param events how many rows were handed over and are durable
     * @param outcomesLost how many ids stay held for good
     */
    record Repaired(long events, long outcomesLost) implements RepairResult {}

    /** What was found stops the repair until a person has decided. */
    record Stopped(String alarm) implements RepairResult {}

    /** A passing trouble: the repair starts over later. */
    record Failed(String reason) implements RepairResult {}
}
