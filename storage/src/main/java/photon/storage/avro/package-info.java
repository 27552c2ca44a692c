/**
 * Reads Avro container files as they grow: header, blocks, and the values in them. Parses bytes
 * that it is handed, and bounds what they may make it do; reading files is the tail's.
 */
@NullMarked
package photon.storage.avro;

import org.jspecify.annotations.NullMarked;
