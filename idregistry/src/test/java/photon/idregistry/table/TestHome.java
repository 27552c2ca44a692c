package photon.idregistry.table;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import photon.idregistry.replicated.StoredFile;

/** A home whose sealing is done when the test says so, and fails when it says so. */
final class TestHome {
    private final Queue<Runnable> jobs = new ArrayDeque<>();
    private final TableFiles files;
    final TableHome home;
    private boolean failing;

    TestHome(TableFiles files, MemoryBudget budget) {
        this.files = files;
        this.home = new TableHome(new Failing(), budget, jobs::add);
    }

    int waiting() {
        return jobs.size();
    }

    void runNext(boolean fail) {
        Runnable job = jobs.poll();
        if (job != null) {
            failing = fail;
            job.run();
            failing = false;
        }
    }

    private final class Failing implements TableFiles {
        @Override
        public NewFile create() throws IOException {
            if (failing) {
                throw new IOException("No space left on this test");
            }
            return files.create();
        }

        @Override
        public TableFile adopt(StoredFile file) throws IOException {
            return files.adopt(file);
        }

        @Override
        public void close() {
            files.close();
        }
    }
}
