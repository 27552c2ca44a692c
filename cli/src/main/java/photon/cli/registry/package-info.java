/**
 * {@code photon registry status}: {@link photon.cli.registry.StatusPoll} asks every server, {@link
 * photon.cli.registry.RegistryView} puts the answers together and judges them, and two classes
 * write that for people and for programs.
 */
@NullMarked
package photon.cli.registry;

import org.jspecify.annotations.NullMarked;
