/**
 * A registry's backup: its files, what must hold between its groups, and how it is read back
 * (docs/protocol.md section 10).
 */
@NullMarked
package photon.registry.admin.backup;

import org.jspecify.annotations.NullMarked;
