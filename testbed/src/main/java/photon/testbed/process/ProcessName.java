package photon.testbed.process;

/**
 * One process of a demo; the same before and after it is killed and started again.
 *
 * @param datacenter where it stands: "east"
 * @param role as on the command line: "registry", "eventstore", "dispatcher", "joiner", "verifier"
 * @param name which of its role: "r0", "joiner-1"; empty where a datacenter has but one
 */
public record ProcessName(String datacenter, String role, String name) {
    public static final String REGISTRY = "registry";
    public static final String EVENT_STORE = "eventstore";
    public static final String DISPATCHER = "dispatcher";
    public static final String JOINER = "joiner";
    public static final String VERIFIER = "verifier";

    /** For people: {@code east/joiner-1}, {@code witness/r4}, {@code west/dispatcher}. */
    public String label() {
        return datacenter + "/" + (name.isEmpty() ? role : name);
    }

    /** The label as a file's name. */
    public String fileName() {
        return label().replace('/', '-');
    }

    public boolean isRegistry() {
        return role.equals(REGISTRY);
    }
}
