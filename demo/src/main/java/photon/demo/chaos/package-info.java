/**
 * {@code photon chaos pipeline}: a pipeline of real processes under a load, to which all happens
 * that happens to one in months, in minutes and at random from a seed; and whether every event was
 * joined once. Start with {@code PipelineChaosRun}.
 */
@NullMarked
package photon.demo.chaos;

import org.jspecify.annotations.NullMarked;
