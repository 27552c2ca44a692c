/**
 * What a user configures, as immutable records that are checked once. {@link
 * photon.core.config.PipelineConfig} is the whole of it. Reading YAML into these is the loader's
 * work.
 */
@NullMarked
package photon.core.config;

import org.jspecify.annotations.NullMarked;
