package photon.idregistry.raft.snapshot;

import java.io.IOException;
import java.util.List;
import photon.idregistry.replicated.GroupCut;
import photon.idregistry.replicated.SnapshotReader;
import photon.idregistry.replicated.StoredFile;

/**
 * A snapshot that is being read for a backup. Each use of it counts as Ratis' sending it to a
 * follower, so that it is kept as long.
 */
public final class CutSnapshot implements SnapshotReader {
    private final StoredSnapshot snapshot;

    private CutSnapshot(StoredSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    public static GroupCut of(StoredSnapshot snapshot) {
        CutSnapshot cut = new CutSnapshot(snapshot);
        cut.use();
        return new GroupCut(snapshot.getTerm(), snapshot.getIndex(), cut);
    }

    private void use() {
        snapshot.getFiles();
    }

    @Override
    public List<String> names() {
        return snapshot.names();
    }

    @Override
    public StoredFile file(String name) throws IOException {
        use();
        return snapshot.file(name);
    }
}
