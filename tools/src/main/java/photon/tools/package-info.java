/**
 * The verbs of {@code photon} that a production process does not need: demo, bench, chaos, simulate
 * and generate. {@link photon.cli.Photon} finds them if they are on the class path; each is options
 * and texts over the module that does the work.
 */
@NullMarked
package photon.tools;

import org.jspecify.annotations.NullMarked;
