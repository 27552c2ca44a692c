package photon.verifier.retention;

import java.util.List;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.storage.output.LostFiles;

/**
 * Decides whether what an incarnation has left may go (docs/protocol.md section 6, Retention). It
 * may when nobody can need it: nothing of it can be repaired, and no id of it can be committed.
 */
final class RetentionRule {
    private RetentionRule() {}

    /** What may be done. */
    enum Verdict {
        /** Nothing of it is needed. */
        RETIRE,
        /** It is live, or its repair has not ended: it reads the manifests. */
        NOT_SETTLED,
        /** It wrote into another output directory. */
        OTHER_OUTPUT,
        /** A file was declared lost, and its events are not looked for yet. */
        DECLARED_LOST,
        /** A boundary is not above all of its ids. */
        BOUNDARY,
        /** One of its tokens holds an id. */
        HELD
    }

    /**
     * What one group says of an incarnation that is fenced in it.
     *
     * @param boundaryMicros of its shard
     * @param holds it holds ids of the incarnation
     */
    record Reach(long boundaryMicros, boolean holds) {}

    /** What the control group and the output directory tell; the boundary is asked for after. */
    static Verdict settled(
            IncarnationInfo info, String outputId, List<LostFiles.Declaration> declarations) {
        if (info.state() == IncarnationState.OPEN || !info.fenced()) {
            return Verdict.NOT_SETTLED;
        }
        if (!info.outputId().equals(outputId)) {
            return Verdict.OTHER_OUTPUT;
        }
        return declarations.stream()
                        .anyMatch(one -> one.timesReopened() >= info.rows().timesReopened())
                ? Verdict.DECLARED_LOST
                : Verdict.RETIRE;
    }

    /**
     * Of one that is settled.
     *
     * @param lastMicros the highest timestamp of its ids, published or lost
     * @param groups all of the pipeline's
     */
    static Verdict passed(long lastMicros, List<Reach> groups) {
        if (groups.stream().anyMatch(group -> group.boundaryMicros() <= lastMicros)) {
            return Verdict.BOUNDARY;
        }
        return groups.stream().anyMatch(Reach::holds) ? Verdict.HELD : Verdict.RETIRE;
    }
}
