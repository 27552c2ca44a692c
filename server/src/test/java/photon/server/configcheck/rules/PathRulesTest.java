package photon.server.configcheck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import photon.server.configcheck.rules.PathRules.Directory;
import photon.server.configcheck.rules.PathRules.Use;

class PathRulesTest {
    private static CheckLine of(Directory directory, Use use) {
        return PathRules.of("deployment.state", "/state", directory, use);
    }

    private static Directory on(String type, long free) {
        return new Directory(true, true, true, "/state", type, free, 100);
    }

    @ParameterizedTest
    @CsvSource({
        "ext4, OWN, OK",
        "nfs4, OWN, FAIL",
        "NFS, OWN, FAIL",
        "cifs, OWN, FAIL",
        "fuse.sshfs, OWN, FAIL",
        "fuseblk, OWN, OK",
        "tmpfs, OWN, WARN",
        "nfs4, SHARED, OK",
        "xfs, SHARED, WARN",
        "nfs4, OUTPUT, OK",
        "ext4, OUTPUT, OK",
        "tmpfs, OUTPUT, WARN"
    })
    void whatIsWhereIsJudgedByWhoUsesIt(String type, Use use, CheckLine.Level level) {
        assertThat(of(on(type, 50), use).level()).isEqualTo(level);
    }

    @ParameterizedTest
    @CsvSource({"15, OK", "14, WARN", "5, WARN", "4, FAIL", "0, FAIL"})
    void aDiskHasSpace(long free, CheckLine.Level level) {
        assertThat(of(on("ext4", free), Use.OWN).level()).isEqualTo(level);
    }

    @Test
    void aFullDiskIsToldAlsoWhereThePlaceIsDoubtful() {
        CheckLine full = of(on("xfs", 2), Use.SHARED);
        assertThat(full.level()).isEqualTo(CheckLine.Level.FAIL);
        assertThat(full.expected()).contains("% free at least");
    }

    @Test
    void aFileSystemWithoutASizeIsNotFull() {
        assertThat(of(new Directory(true, true, true, "/state", "overlay", 0, 0), Use.OWN).level())
                .isEqualTo(CheckLine.Level.OK);
    }

    @Test
    void aDirectoryIsOneAndCanBeWritten() {
        CheckLine file = of(new Directory(false, false, true, "/a", "ext4", 50, 100), Use.OWN);
        assertThat(file.level()).isEqualTo(CheckLine.Level.FAIL);
        assertThat(file.found()).isEqualTo("/a is no directory");
        CheckLine other = of(new Directory(false, true, false, "/a", "ext4", 50, 100), Use.OWN);
        assertThat(other.level()).isEqualTo(CheckLine.Level.FAIL);
        assertThat(other.found()).isEqualTo("this user may not write in /a");
    }

    @Test
    void aPlaceElsewhereAnswers() {
        assertThat(PathRules.ofUri("deployment.shared", "hdfs://n/p", false, "").level())
                .isEqualTo(CheckLine.Level.OK);
        CheckLine silent = PathRules.ofUri("deployment.shared", "hdfs://n/p", false, "no answer");
        assertThat(silent.level()).isEqualTo(CheckLine.Level.FAIL);
        assertThat(silent.found()).isEqualTo("no answer");
    }
}
