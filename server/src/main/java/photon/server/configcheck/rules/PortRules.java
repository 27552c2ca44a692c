package photon.server.configcheck.rules;

import photon.core.rpc.HostPort;

/** Whether a daemon can listen where the configuration says. */
public final class PortRules {
    private static final String AREA = "port";

    private PortRules() {}

    /** What came of trying to listen. */
    public enum Port {
        FREE,
        /** Somebody listens. */
        TAKEN,
        /** No interface of this machine has the address. */
        ELSEWHERE,
        /** The name has no address. */
        UNKNOWN_HOST,
        /** This user may not. */
        FORBIDDEN
    }

    /**
     * @param key of the configuration that says the address
     * @param runs whether the daemon itself runs, by its lock
     */
    public static CheckLine of(String key, HostPort at, Port port, boolean runs) {
        String subject = key + " " + at;
        return switch (port) {
            case FREE -> CheckLine.ok(AREA, subject, "free");
            case TAKEN ->
                    runs
                            ? CheckLine.ok(AREA, subject, "taken by this daemon, which runs")
                            : CheckLine.fail(
                                    AREA,
                                    subject,
                                    "another program listens there",
                                    "end that program ('ss -ltnp' names it), or write another port, in every configuration that names this one");
            case ELSEWHERE ->
                    CheckLine.fail(
                            AREA,
                            subject,
                            "no interface of this machine has that address",
                            "run the check on the machine of the daemon, or write an address of this machine; behind a proxy, deployment.registry[].raftListen says where to listen");
            case UNKNOWN_HOST ->
                    CheckLine.fail(
                            AREA,
                            subject,
                            "the name " + at.host() + " has no address here",
                            "a name that this machine resolves, by DNS or /etc/hosts, or an address");
            case FORBIDDEN ->
                    CheckLine.fail(
                            AREA,
                            subject,
                            "this user may not listen there",
                            "a port from 1024 on, or run the check as the user of the daemon");
        };
    }
}
