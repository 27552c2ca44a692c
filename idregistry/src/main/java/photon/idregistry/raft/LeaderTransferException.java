package photon.idregistry.raft;

/** Leadership was not given to the member that was meant; who leads now is not said. */
public final class LeaderTransferException extends Exception {
    private static final long serialVersionUID = 1;

    LeaderTransferException(String message) {
        super(message);
    }

    LeaderTransferException(String message, Throwable cause) {
        super(message, cause);
    }
}
