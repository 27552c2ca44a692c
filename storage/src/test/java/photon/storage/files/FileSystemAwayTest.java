package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FileSystemAwayTest {
    static Stream<IOException> away() {
        return Stream.of(
                new ConnectException("Connection refused"),
                new SocketTimeoutException("20000 millis timeout"),
                new UnknownHostException("namenode"),
                new IOException("Failed on local exception", new ConnectException("refused")),
                new StandbyException("state standby"),
                new RemoteException(StandbyException.class.getName(), "state standby"),
                new RemoteException(SafeModeException.class.getName(), "Cannot create /a"),
                new IOException(
                        new RemoteException(SafeModeException.class.getName(), "Cannot create /")));
    }

    static Stream<IOException> refuses() {
        return Stream.of(
                new IOException("No FileSystem for scheme \"hdsf\""),
                new FileNotFoundException("/a"),
                new AccessControlException("Permission denied"),
                new RemoteException(AccessControlException.class.getName(), "Permission denied"));
    }

    @ParameterizedTest
    @MethodSource("away")
    void whatDoesNotAnswerIsAway(IOException trouble) {
        assertThat(FileSystemAway.is(trouble)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("refuses")
    void whatRefusesIsThere(IOException trouble) {
        assertThat(FileSystemAway.is(trouble)).isFalse();
    }
}
