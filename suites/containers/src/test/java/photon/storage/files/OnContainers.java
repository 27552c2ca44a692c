package photon.storage.files;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import photon.containers.OnEngine;

/**
 * Starts {@link HdfsContainers} for the first test class that needs them, and removes them when all
 * tests have ended.
 */
public final class OnContainers extends OnEngine implements BeforeAllCallback {
    /** One class of tests waits for what does not come, not each. */
    private static boolean failed;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(HdfsContainers.class, key -> started());
    }

    private static synchronized HdfsContainers started() {
        if (failed) {
            throw new IllegalStateException(
                    "HDFS in containers did not start: the first test class says why");
        }
        failed = true;
        try {
            HdfsContainers servers = HdfsContainers.start();
            failed = false;
            return servers;
        } catch (Exception e) {
            throw new IllegalStateException("HDFS in containers did not start", e);
        }
    }
}
