/**
 * The check of the machine on which a daemon of a deployment is to run: looks at ports, clock,
 * paths, certificates and logs, and has the rules judge.
 */
@NullMarked
package photon.server.configcheck;

import org.jspecify.annotations.NullMarked;
