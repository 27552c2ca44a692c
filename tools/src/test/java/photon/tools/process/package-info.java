/** Tests of tools that start many processes: {@code suites/tools} runs them. */
@NullMarked
package photon.tools.process;

import org.jspecify.annotations.NullMarked;
