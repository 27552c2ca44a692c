/**
 * The groups that a server has a replica of, and what all who serve them share: how an entry or a
 * read reaches one, how requests are looked at on arrival, and who and when comes with an entry.
 */
@NullMarked
package photon.idregistry.server.groups;

import org.jspecify.annotations.NullMarked;
