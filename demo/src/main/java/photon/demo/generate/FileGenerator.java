package photon.demo.generate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import photon.storage.files.FileStore;

/** Writes logs at full speed, in the time of the generated world: same settings, same bytes. */
public final class FileGenerator {
    private static final int LOOK_EVERY = 4_096;

    private FileGenerator() {}

    /**
     * @param directory new or empty; made if it is not there
     * @param stop asked now and then; true ends the run early, in good order
     */
    public static Answer run(
            Path directory, GeneratorSettings settings, FileStore files, BooleanSupplier stop)
            throws IOException {
        LogSession session =
                new LogSession(
                        directory,
                        settings,
                        GeneratorSettings.START_MICROS,
                        LogStore.of(files),
                        Runnable::run,
                        null);
        long now = GeneratorSettings.START_MICROS;
        for (long steps = 1; !session.done(); steps++) {
            now = session.dueMicros();
            session.step(now);
            if (steps % LOOK_EVERY == 0) {
                session.tick(now);
                if (stop.getAsBoolean()) {
                    break;
                }
            }
        }
        long end = now;
        return session.finish(() -> end);
    }
}
