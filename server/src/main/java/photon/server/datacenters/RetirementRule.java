package photon.server.datacenters;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import photon.registry.admin.IncarnationsText;
import photon.registry.api.ControlClient.IncarnationInfo;

/**
 * Decides whether a datacenter may be retired (docs/protocol.md section 1): when nothing is left
 * that only it could bring into an output, or a person says that this is lost.
 */
public final class RetirementRule {
    private RetirementRule() {}

    /**
     * The parts of the datacenter.
     *
     * @param mayRun false: it is sure that none of them runs
     * @param again what to do so that they repair, for people
     */
    public record Parts(boolean mayRun, String again) {}

    /**
     * Why it may not be.
     *
     * @param unfinishedIsLost an operator says so
     * @return sentences, each of which is a reason; empty: it may
     */
    public static List<String> refusals(
            DatacenterFacts facts, boolean unfinishedIsLost, Parts parts) {
        String again = parts.again();
        List<String> refusals = new ArrayList<>();
        if (parts.mayRun() && !facts.live().isEmpty()) {
            refusals.add(
                    "%s may commit still. Stop the joiners of %s with SIGTERM. If they were killed: %s. If their disks are gone, fence them: photon registry incarnations fence SLOT"
                            .formatted(names(facts.live()), facts.name(), withoutFullStop(again)));
        }
        List<IncarnationInfo> unrepaired =
                facts.open().stream().filter(info -> info.fenced() || !parts.mayRun()).toList();
        boolean repairable = facts.published().isPresent();
        if (!unrepaired.isEmpty() && (repairable || !unfinishedIsLost)) {
            refusals.add(
                    "%s of %s %s not repaired: what %s had taken and not published would be lost. %s"
                            .formatted(
                                    names(unrepaired),
                                    facts.name(),
                                    unrepaired.size() == 1 ? "is" : "are",
                                    unrepaired.size() == 1 ? "it" : "they",
                                    repairable
                                            ? again
                                            : "If its output is lost for good, use --unfinished-is-lost"));
        }
        facts.journal()
                .filter(journal -> journal.repairRows() > 0 && !unfinishedIsLost)
                .ifPresent(
                        journal ->
                                refusals.add(
                                        "%,d events of repaired joiners wait in the retry journal %s, and only %s can join them. %s. If they will never be joined, use --unfinished-is-lost"
                                                .formatted(
                                                        journal.repairRows(),
                                                        journal.directory(),
                                                        facts.name(),
                                                        again)));
        if (facts.mayHaveUnseenRows() && !unfinishedIsLost) {
            refusals.add(
                    "The state %s of its dispatcher is not here, and events of repaired joiners may wait in its retry journal. Run this where that state is; if it is lost for good, use --unfinished-is-lost"
                            .formatted(facts.state().orElseThrow()));
        }
        return refusals;
    }

    private static String withoutFullStop(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    private static String names(List<IncarnationInfo> incarnations) {
        return incarnations.stream()
                .map(IncarnationsText::name)
                .collect(Collectors.joining(" and "));
    }
}
