package photon.idregistry.control;

import java.io.IOException;
import java.util.Collection;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.replicated.MemorySnapshot;
import photon.idregistry.replicated.StateFile;

/** What a restore may do to the pipelines of a control group. */
final class RestoredPipelines implements RestoreRules.Registry {
    private final Pipelines pipelines;
    private final AuditTrail audit;
    private final MemberRules members;

    RestoredPipelines(Pipelines pipelines, AuditTrail audit, MemberRules members) {
        this.pipelines = pipelines;
        this.audit = audit;
        this.members = members;
    }

    @Override
    public boolean isEmpty() {
        return pipelines.isUntouched();
    }

    @Override
    public int load(byte[] snapshot) throws IOException {
        Pipelines read = new Pipelines();
        AuditTrail trail = new AuditTrail();
        int[] slots = new int[1];
        StateFile.read(
                MemorySnapshot.of(StateFile.NAME, snapshot),
                in ->
                        slots[0] =
                                ControlSnapshot.read(in, read, trail, new MemberRules(trail))
                                        .slotsIssued());
        if (members.featureLevel() < FeatureLevel.RETIRED_DATACENTERS) {
            // A server that does not know of them would decide otherwise than one that does.
            read.all().forEach(pipeline -> pipeline.retired.clear());
        }
        pipelines.addAll(read);
        audit.restore(trail.forgotten(), trail.ofBackup());
        return slots[0];
    }

    @Override
    public void slotsIssued(int issued) {
        pipelines.slotsIssued = issued;
    }

    @Override
    public Collection<PipelineState> pipelines() {
        return pipelines.all();
    }

    @Override
    public AuditTrail audit() {
        return audit;
    }
}
