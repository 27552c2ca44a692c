/**
 * Disks that fail, are full, or give back other bytes than were written, under one replica of a
 * registry of real processes: it stops and says why, the others go on, and nothing that was
 * accepted is forgotten.
 */
@NullMarked
package photon.testbed.disk;

import org.jspecify.annotations.NullMarked;
