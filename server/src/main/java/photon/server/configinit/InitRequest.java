package photon.server.configinit;

import java.nio.file.Path;
import java.util.Optional;
import photon.server.configinit.rules.Stated;

/**
 * What a configuration is to be made of.
 *
 * @param primaryPath a file, or a glob
 * @param foreignPath a file, or a glob
 * @param pipeline its name; absent: after the foreign file
 * @param configuration where it will stand: paths in it are relative to that
 */
public record InitRequest(
        String primaryPath,
        Stated primary,
        String foreignPath,
        Stated foreign,
        Optional<String> pipeline,
        Path configuration) {}
