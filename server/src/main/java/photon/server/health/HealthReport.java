package photon.server.health;

import java.util.List;

/** What all checks of one kind came to. */
public record HealthReport(List<CheckResult> results) {
    public HealthReport {
        results = List.copyOf(results);
    }

    /** All of them pass. */
    public boolean passes() {
        return results.stream().allMatch(CheckResult::passes);
    }

    /**
     * As Kubernetes' own servers write it.
     *
     * @param path without its slash, such as {@code readyz}
     * @param verbose also names what passes, when all does
     */
    public String text(String path, boolean verbose) {
        if (passes() && !verbose) {
            return "ok\n";
        }
        StringBuilder text = new StringBuilder();
        for (CheckResult result : results) {
            text.append(result.passes() ? "[+]" : "[-]")
                    .append(result.name())
                    .append(result.passes() ? " ok" : " failed: " + result.reason())
                    .append('\n');
        }
        return text.append(path)
                .append(passes() ? " check passed\n" : " check failed\n")
                .toString();
    }
}
