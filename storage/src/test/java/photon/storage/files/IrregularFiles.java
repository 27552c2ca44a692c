package photon.storage.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names in a directory that stand for no regular file. */
public final class IrregularFiles {
    private IrregularFiles() {}

    public static void fifo(Path path) throws IOException {
        Process made =
                new ProcessBuilder("mkfifo", path.toString()).redirectErrorStream(true).start();
        String said = new String(made.getInputStream().readAllBytes(), UTF_8);
        assertThat(said).isEmpty();
        assertThat(path).exists();
    }

    /** Stays when it is closed. */
    public static void socket(Path path) throws IOException {
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(path))
                .close();
    }

    /** A FIFO, a socket, a link to a device, a link to nothing, and two links in a circle. */
    public static void all(Path directory, String suffix) throws IOException {
        fifo(directory.resolve("fifo" + suffix));
        socket(directory.resolve("socket" + suffix));
        link(directory, "device" + suffix, "/dev/zero");
        link(directory, "dangling" + suffix, "nothing-there");
        link(directory, "circle1" + suffix, "circle2" + suffix);
        link(directory, "circle2" + suffix, "circle1" + suffix);
    }

    private static void link(Path directory, String name, String target) throws IOException {
        Files.createSymbolicLink(directory.resolve(name), Path.of(target));
    }
}
