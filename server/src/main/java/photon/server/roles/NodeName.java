package photon.server.roles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;

/** The name of a daemon among those that share a state, made at its first start. */
final class NodeName {
    private static final String FILE = "name";

    private NodeName() {}

    /**
     * Not synced: after a power cut it has another name perhaps, and waits until its own leases
     * have run out.
     *
     * @param own this daemon's directory on its machine, locked: an earlier life that has left its
     *     name there has ended
     */
    static String of(Path own) throws IOException {
        try {
            String name = Files.readString(own.resolve(FILE));
            if (!name.isEmpty()) {
                return name;
            }
        } catch (NoSuchFileException e) {
            // The first start.
        }
        String made = UUID.randomUUID().toString();
        Files.createDirectories(own);
        Path aside = own.resolve(FILE + ".new");
        Files.writeString(aside, made);
        Files.move(aside, own.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        return made;
    }
}
