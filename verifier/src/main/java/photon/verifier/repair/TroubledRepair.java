package photon.verifier.repair;

import photon.core.id.Incarnation;

/**
 * A repair that an alarm stops, or that has failed often.
 *
 * @param incarnation whose repair it is
 * @param stopped true: the alarm says what a person has to change; false: it failed often, and goes
 *     on by itself when what it needs is there again
 * @param alarm a sentence for people
 */
public record TroubledRepair(Incarnation incarnation, boolean stopped, String alarm) {}
