/** What people see on stderr while something runs: {@link photon.cli.terminal.TerminalLine}. */
@NullMarked
package photon.cli.terminal;

import org.jspecify.annotations.NullMarked;
