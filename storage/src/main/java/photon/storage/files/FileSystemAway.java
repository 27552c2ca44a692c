package photon.storage.files;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.jspecify.annotations.Nullable;

/** Tells a file system that does not answer, or not yet, from one that refuses. */
public final class FileSystemAway {
    private static final List<Class<? extends IOException>> LOCAL =
            List.of(
                    SocketException.class, // refused, no route
                    SocketTimeoutException.class,
                    UnknownHostException.class,
                    ClosedChannelException.class,
                    EOFException.class,
                    StandbyException.class,
                    RetriableException.class,
                    SafeModeException.class);

    /** As a server names them. */
    private static final Set<String> REMOTE =
            Set.of(
                    StandbyException.class.getName(),
                    RetriableException.class.getName(),
                    SafeModeException.class.getName());

    private FileSystemAway() {}

    /** Whether the same may succeed a while later, without anybody changing a setting. */
    public static boolean is(IOException trouble) {
        for (@Nullable Throwable t = trouble; t != null; t = t.getCause()) {
            Throwable one = t;
            if (LOCAL.stream().anyMatch(kind -> kind.isInstance(one))
                    || (one instanceof RemoteException remote
                            && REMOTE.contains(remote.getClassName()))) {
                return true;
            }
        }
        return false;
    }
}
