/** What the check of a deployment's machine makes of what was found there. Pure. */
@NullMarked
package photon.server.configcheck.rules;

import org.jspecify.annotations.NullMarked;
