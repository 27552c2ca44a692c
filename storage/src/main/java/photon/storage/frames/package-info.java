/**
 * Our framing: what framed logs, work logs and journals are made of.
 *
 * <p>A frame is 4 bytes of magic, the payload's length (int32), CRC32C over length and payload
 * (int32), the payload; all big-endian. {@link photon.storage.frames.FrameWriter} writes frames,
 * {@link photon.storage.frames.FrameReader} reads a file of them, {@link
 * photon.storage.frames.FrameScanner} finds them in bytes and is where the rules are.
 */
@NullMarked
package photon.storage.frames;

import org.jspecify.annotations.NullMarked;
