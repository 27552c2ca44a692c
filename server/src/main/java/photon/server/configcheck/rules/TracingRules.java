package photon.server.configcheck.rules;

/** Whether traces would arrive. A collector that is away costs traces alone, so it never fails. */
public final class TracingRules {
    private static final String AREA = "tracing";

    private TracingRules() {}

    /**
     * @param trouble why the collector takes nothing; empty: it does
     */
    public static CheckLine of(String endpoint, String trouble) {
        String subject = "tracing.endpoint " + endpoint;
        return trouble.isEmpty()
                ? CheckLine.ok(AREA, subject, "takes traces")
                : CheckLine.warn(
                        AREA,
                        subject,
                        "does not take traces: " + trouble,
                        "a collector that takes OTLP over HTTP there; until then the daemon works, and its traces are lost");
    }

    /**
     * @param problem why the daemon would not start
     */
    public static CheckLine unusable(String problem) {
        return CheckLine.fail(
                AREA,
                "tracing.trust",
                problem,
                "a PEM file with the certificates of the authorities that vouch for the collector");
    }
}
