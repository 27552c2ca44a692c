/**
 * {@code photon demo}: two datacenters and a registry as processes of their own under a live load,
 * some of them killed and started again, and what came of it. {@link photon.testbed.process.Fleet}
 * owns the processes; timetable, leader changes, result and pictures are plain classes that take
 * what was seen.
 */
@NullMarked
package photon.demo;

import org.jspecify.annotations.NullMarked;
