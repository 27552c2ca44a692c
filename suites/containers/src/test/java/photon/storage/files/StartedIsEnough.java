package photon.storage.files;

import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** Does not wait for what a container serves. */
final class StartedIsEnough extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {
        // the container has started
    }
}
