/** Tests of commands on registries that serve: {@code suites/processes} runs them. */
@NullMarked
package photon.cli.registry;

import org.jspecify.annotations.NullMarked;
