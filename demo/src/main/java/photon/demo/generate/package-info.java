/**
 * Logs with a known right answer: what {@code photon generate} and the demo write.
 *
 * <p>{@link photon.cli.generate.model} decides what happens; {@link
 * photon.demo.generate.LogSession} writes it to log files and keeps the answer; {@link
 * photon.demo.generate.FileGenerator} runs that at full speed, {@link
 * photon.demo.generate.LiveGenerator} by the wall clock in a thread of its own.
 */
@NullMarked
package photon.demo.generate;

import org.jspecify.annotations.NullMarked;
