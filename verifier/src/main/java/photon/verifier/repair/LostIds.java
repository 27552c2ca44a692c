package photon.verifier.repair;

import photon.verifier.steps.Steps;

/** A search for lost ids that stops whenever a chunk is full. */
interface LostIds {
    /** All is searched. */
    boolean done();

    /** Goes on; {@code whenFound} is the step for a full chunk, or what is left at the end. */
    void on(Steps.Step whenFound);
}
