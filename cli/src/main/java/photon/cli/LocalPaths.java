package photon.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import photon.core.config.LocalPath;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Paths of this machine: what every option of this type takes. A URI is refused. */
final class LocalPaths implements ITypeConverter<Path> {
    @Override
    public Path convert(String text) {
        LocalPath.expectedInsteadOf(text)
                .ifPresent(
                        expected -> {
                            throw new TypeConversionException(expected);
                        });
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new TypeConversionException("expected a path of this machine");
        }
    }
}
