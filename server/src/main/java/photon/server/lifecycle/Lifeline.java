package photon.server.lifecycle;

import java.io.IOException;
import java.io.InputStream;
import photon.core.error.IoText;

/** Ends the process, as SIGTERM does, when nobody holds the other end of a stream any more. */
public final class Lifeline {
    private Lifeline() {}

    /**
     * @param held read to its end, by a thread of its own; what comes in is ignored
     */
    public static void endWith(InputStream held) {
        Thread thread = new Thread(() -> hold(held), "lifeline");
        thread.setDaemon(true);
        thread.start();
    }

    private static void hold(InputStream held) {
        byte[] ignored = new byte[1_024];
        try {
            while (held.read(ignored) >= 0) {
                // Holds.
            }
        } catch (IOException e) {
            System.err.println("photon: cannot read standard input any more: " + IoText.of(e));
        }
        // Runs the shutdown's hook, whose bounds hold here as well.
        Runtime.getRuntime().exit(0);
    }
}
