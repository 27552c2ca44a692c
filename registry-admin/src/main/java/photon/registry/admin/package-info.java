/**
 * {@code photon registry status}: {@link photon.registry.admin.StatusPoll} asks every server,
 * {@link photon.registry.admin.RegistryView} puts the answers together and judges them, and two
 * classes write that for people and for programs.
 */
@NullMarked
package photon.registry.admin;

import org.jspecify.annotations.NullMarked;
