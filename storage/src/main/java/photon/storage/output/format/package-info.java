/**
 * The formats of published files. {@link photon.storage.output.format.OutputFormats} makes them;
 * the bytes of Avro and Parquet are written by their own libraries.
 */
@NullMarked
package photon.storage.output.format;

import org.jspecify.annotations.NullMarked;
