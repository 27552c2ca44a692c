package photon.storage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.AccessDeniedException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * As a user who, other than that of the other tests, is not the one to whom HDFS denies nothing.
 */
class HdfsOrdinaryUserTest {
    private final String directory = Hdfs.newDirectory();
    private final FileStore files = Hdfs.files();

    @BeforeEach
    void admitTheUser() throws Exception {
        Hdfs.client().setPermission(new Path(directory), new FsPermission("777"));
    }

    private static void asSomebody(PrivilegedExceptionAction<?> action) throws Exception {
        UserGroupInformation.createRemoteUser("somebody").doAs(action);
    }

    /** Such as {@code _SUCCESS} beside dated directories: it must not stop the stream. */
    @Test
    void belowAFileNothingStands() throws Exception {
        files.create(directory + "/_SUCCESS").close();
        Hdfs.client().mkdirs(new Path(directory + "/dt=1/east"));
        files.create(directory + "/dt=1/east/clicks.log").close();
        asSomebody(
                () -> {
                    assertThat(files.stat(directory + "/_SUCCESS/east")).isNull();
                    assertThat(files.stat(directory + "/_SUCCESS/east/deeper")).isNull();
                    assertThat(files.list(directory + "/_SUCCESS/east")).isEmpty();
                    assertThat(files.watch(directory + "/*/east/*.log", name -> false).look(0))
                            .extracting(FileStore.FileInfo::path)
                            .containsExactly(directory + "/dt=1/east/clicks.log");
                    return null;
                });
    }

    @Test
    void whatIsDeniedIsSaidToBe() throws Exception {
        Hdfs.client().mkdirs(new Path(directory + "/closed/inner"));
        files.create(directory + "/closed/clicks.log").close();
        Hdfs.client().setPermission(new Path(directory + "/closed"), new FsPermission("700"));
        asSomebody(
                () -> {
                    for (String path : new String[] {"/closed/clicks.log", "/closed/none"}) {
                        assertThatThrownBy(() -> files.stat(directory + path))
                                .isInstanceOf(AccessDeniedException.class)
                                .hasMessageContaining(directory + path);
                    }
                    assertThatThrownBy(() -> files.open(directory + "/closed/clicks.log"))
                            .isInstanceOf(AccessDeniedException.class);
                    for (String path : new String[] {"/closed", "/closed/inner"}) {
                        assertThatThrownBy(() -> files.list(directory + path))
                                .isInstanceOf(AccessDeniedException.class);
                    }
                    assertThatThrownBy(
                                    () ->
                                            files.watch(directory + "/closed/*.log", name -> false)
                                                    .look(0))
                            .hasMessageContaining(directory + "/closed");
                    assertThatThrownBy(() -> files.create(directory + "/closed/new.log"))
                            .isInstanceOf(java.io.IOException.class);
                    return null;
                });
    }
}
