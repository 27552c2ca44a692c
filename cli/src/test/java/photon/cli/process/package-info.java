/** Tests that start processes of their own: {@code suites/processes} runs them. */
@NullMarked
package photon.cli.process;

import org.jspecify.annotations.NullMarked;
