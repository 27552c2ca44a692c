package photon.registry.api;

/** The pipeline was dropped from the registry: nothing of it is accepted or known any more. */
public final class PipelineDroppedException extends RuntimeException {
    public PipelineDroppedException(String message) {
        super(message);
    }
}
