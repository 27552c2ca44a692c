package photon.simulation.parts;

/** The registry's methods on the simulated network. */
public final class RegistryMethods {
    static final String COMMIT = "Commit";

    /** A commit as a call of its own, which the network may delay and repeat alone. */
    static final String COMMIT_CALL = "CommitCall";

    static final String LOOKUP = "Lookup";
    public static final String REMOVE = "Remove";
    static final String CANCEL = "Cancel";
    static final String FENCE = "Fence";
    static final String SCAN = "Scan";
    static final String OPEN_PIPELINE = "OpenPipeline";
    static final String DESCRIBE_PIPELINE = "DescribePipeline";
    static final String REGISTER = "Register";
    public static final String FENCE_INCARNATION = "FenceIncarnation";
    static final String SET_INCARNATION_STATE = "SetIncarnationState";
    public static final String PREPARE_EPOCH = "PrepareEpoch";
    static final String BEGIN_RESHARD = "BeginReshard";
    static final String DECIDE_RESHARD = "DecideReshard";
    static final String TELL_CLOCK = "TellClock";
    static final String SET_PIPELINE = "SetPipeline";
    static final String DROP_PIPELINE = "DropPipeline";
    static final String RENEW_INCARNATION = "RenewIncarnation";
    static final String REGISTER_STATE = "RegisterDispatcherState";
    static final String REOPEN_INCARNATION = "ReopenIncarnation";
    static final String RETIRE_DATACENTER = "RetireDatacenter";
    static final String LIST_INCARNATIONS = "ListIncarnations";

    private RegistryMethods() {}
}
