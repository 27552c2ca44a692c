/** What Photon needs of a file system. Start at {@link photon.storage.files.FileStore}. */
@NullMarked
package photon.storage.files;

import org.jspecify.annotations.NullMarked;
