package photon.idregistry.leaders;

import static photon.core.error.Checks.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import photon.core.config.DeploymentConfig;

/**
 * Which server leads which group when all are up: by weight, in the order of the configuration,
 * which is the same everywhere. With equal weights they take turns. Immutable.
 */
public final class Placement {
    public static final int WEIGHT_DEFAULT = DeploymentConfig.LEADER_WEIGHT_DEFAULT;
    public static final int WEIGHT_MAX = DeploymentConfig.LEADER_WEIGHT_MAX;

    /** The control group's place; a shard's is its number. */
    public static final int CONTROL = 0;

    private final List<Server> servers;

    /** One round of turns: each server as often as its weight says, spread over the round. */
    private final List<String> turns = new ArrayList<>();

    /**
     * One server.
     *
     * @param weight from 0 to {@link #WEIGHT_MAX}; 0: leads only where no other can
     */
    public record Server(String name, int weight) {
        public Server {
            check(
                    weight >= 0 && weight <= WEIGHT_MAX,
                    "Expected a weight from 0 to %s, but got %s",
                    WEIGHT_MAX,
                    weight);
        }
    }

    /**
     * @param servers at least one; if no weight is above 0, all are taken for equal
     */
    public Placement(List<Server> servers) {
        check(!servers.isEmpty(), "Expected at least one server");
        boolean anyWeight = servers.stream().anyMatch(server -> server.weight() > 0);
        this.servers =
                anyWeight
                        ? List.copyOf(servers)
                        : servers.stream()
                                .map(server -> new Server(server.name(), WEIGHT_DEFAULT))
                                .toList();
        takeTurns();
    }

    /** The next turn is of the server that has had the least of its share. */
    private void takeTurns() {
        int total = servers.stream().mapToInt(Server::weight).sum();
        int[] credit = new int[servers.size()];
        for (int turn = 0; turn < total; turn++) {
            int next = 0;
            for (int i = 0; i < credit.length; i++) {
                credit[i] += servers.get(i).weight();
                if (credit[i] > credit[next]) {
                    next = i;
                }
            }
            credit[next] -= total;
            turns.add(servers.get(next).name());
        }
    }

    /** The preferred leader of the group at this place. */
    public String preferredLeader(int place) {
        return turns.get(Math.floorMod(place, turns.size()));
    }

    /** All servers, in the order in which they should lead the group at this place. */
    public List<String> preference(int place) {
        List<String> order = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (int turn = 0; turn < turns.size(); turn++) {
            String name = preferredLeader(Math.floorMod(place, turns.size()) + turn);
            if (seen.add(name)) {
                order.add(name);
            }
        }
        servers.stream().map(Server::name).filter(seen::add).forEach(order::add);
        return order;
    }

    /** True if it should not lead while another can. */
    public boolean avoided(String name) {
        return !turns.contains(name);
    }
}
