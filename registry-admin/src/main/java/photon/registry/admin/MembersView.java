package photon.registry.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import photon.core.text.Columns;
import photon.idregistry.members.GroupChange;
import photon.idregistry.members.PeerName;
import photon.proto.v1.DescribeServerResponse;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.ReplicaRole;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.Roster;
import photon.proto.v1.ServerMember;

/** The servers of a registry, the disks behind their names, and the groups that each is in. */
public final class MembersView {
    private final Map<String, ServerMember> servers = new LinkedHashMap<>();
    private final Map<String, DescribeServerResponse> answers = new LinkedHashMap<>();
    private final Map<String, String> troubles = new LinkedHashMap<>();
    private final Map<String, MemberDisk> disks = new LinkedHashMap<>();
    private final List<GroupView> groups;
    private final Map<String, String> datacenters;
    private Roster roster = Roster.getDefaultInstance();

    /**
     * @param datacenters server to datacenter, as far as it is known
     */
    public MembersView(List<StatusPoll.Answer> asked, Map<String, String> datacenters) {
        this.datacenters = datacenters;
        for (StatusPoll.Answer answer : asked) {
            answer.server()
                    .ifPresent(
                            server -> {
                                answers.put(server.getName(), server);
                                roster = later(roster, server.getRoster());
                                server.getMembersList()
                                        .forEach(m -> servers.putIfAbsent(m.getName(), m));
                                // What is decided of a disk is never taken back.
                                server.getDisksList()
                                        .forEach(d -> disks.merge(d.getName(), d, this::newer));
                            });
            if (answer.server().isEmpty()) {
                troubles.put(answer.asked().toString(), answer.trouble());
            }
        }
        // A member that no configuration lists is one all the same.
        for (String member : roster.getServersList()) {
            servers.putIfAbsent(member, ServerMember.newBuilder().setName(member).build());
        }
        groups = RegistryView.of(asked).groups();
    }

    private static Roster later(Roster a, Roster b) {
        return b.getVersion() > a.getVersion() ? b : a;
    }

    private MemberDisk newer(MemberDisk a, MemberDisk b) {
        // Nobody; awaited; come; in every group; leaving.
        return Comparator.comparingInt(MemberDisk::getNumber)
                                .thenComparing(MemberDisk::getLeaving)
                                .thenComparing(d -> !d.getDisk().isEmpty())
                                .thenComparing(d -> d.getJoining() == d.getDisk().isEmpty())
                                .compare(a, b)
                        >= 0
                ? a
                : b;
    }

    /** No server has answered. */
    public boolean isEmpty() {
        return answers.isEmpty();
    }

    /** The members, as far as it is known; version 0: it is not. */
    public Roster roster() {
        return roster;
    }

    /** True if it is one, or nothing is known of that. */
    public boolean isMember(String name) {
        return roster.getVersion() == 0 || roster.getServersList().contains(name);
    }

    /**
     * The members that do not know where a server is, or know another address than others, or do
     * not say: each with why.
     */
    public List<String> withoutAddress(String name) {
        List<String> without = new ArrayList<>();
        ServerMember known = servers.get(name);
        for (String member : roster.getServersList()) {
            DescribeServerResponse answer = answers.get(member);
            if (answer == null) {
                without.add(member + " (does not answer)");
            } else if (answer.getMembersList().stream()
                    .noneMatch(m -> known != null && isWhere(m, known))) {
                without.add(member + " (its configuration does not list it at that address)");
            }
        }
        return without;
    }

    private static boolean isWhere(ServerMember a, ServerMember b) {
        return a.getName().equals(b.getName())
                && a.getRaft().equals(b.getRaft())
                && a.getService().equals(b.getService());
    }

    /**
     * Servers that are coming, going or being replaced, and have to be done before this one is
     * added or removed. One that comes may be removed again, but who leaves must have left before
     * it comes.
     */
    public List<String> inTheWayOf(String name) {
        return disks.values().stream()
                .filter(
                        disk ->
                                disk.getLeaving()
                                        || (disk.getJoining() && !disk.getName().equals(name)))
                .map(MemberDisk::getName)
                .toList();
    }

    /** Of all members, and of all servers that are configured anywhere. */
    public List<String> names() {
        return List.copyOf(servers.keySet());
    }

    /** The disk behind a server's name, as it stands. */
    public MemberDisk disk(String name) {
        return disks.getOrDefault(name, MemberDisk.newBuilder().setName(name).setNumber(1).build());
    }

    /** True if a server answers that has the disk which stands behind its name. */
    public boolean isThere(String name) {
        DescribeServerResponse answer = answers.get(name);
        return answer != null && answer.getPeer().equals(peer(name));
    }

    private String peer(String name) {
        return new PeerName(name, disk(name).getNumber()).toString();
    }

    /** As people write it; empty: it is not known, or awaited. */
    public static String text(ByteString disk) {
        return disk.isEmpty() ? "" : RegistryView.uuid(disk);
    }

    /** A step of a replacement, in one group. */
    public record Step(String group, String out, String in, String trouble) {}

    /** What it takes to replace a server's disk, and what is in the way: one step a group. */
    public List<Step> plan(String name) {
        List<Step> steps = new ArrayList<>();
        String in = new PeerName(name, disk(name).getNumber() + 1).toString();
        for (GroupView group : groups) {
            steps.add(
                    new Step(
                            group.name(),
                            peer(name),
                            in,
                            trouble(group, members -> GroupChange.unsafe(members, name))));
        }
        return steps;
    }

    /** What it takes to add a server, and what is in the way: one step a group. */
    public List<Step> planToAdd(String name) {
        return groups.stream()
                .map(
                        group ->
                                new Step(
                                        group.name(),
                                        "",
                                        name,
                                        trouble(group, GroupChange::unsafeWith)))
                .toList();
    }

    /** What it takes to remove a server: one step for each group that has it for a member. */
    public List<Step> planToRemove(String name) {
        return groups.stream()
                .filter(group -> leader(group).isEmpty() || !peers(group, name).isEmpty())
                .map(
                        group ->
                                new Step(
                                        group.name(),
                                        leader(group).isEmpty()
                                                ? peer(name)
                                                : String.join(", ", peers(group, name)),
                                        "",
                                        trouble(
                                                group,
                                                members ->
                                                        GroupChange.unsafeWithout(members, name))))
                .toList();
    }

    private static String trouble(
            GroupView group, Function<List<GroupChange.Member>, String> unsafe) {
        Optional<ReplicaStatus> leader = leader(group);
        if (leader.isEmpty()) {
            return "it has no known leader";
        }
        String leading = group.leader().orElse("");
        List<GroupChange.Member> members = new ArrayList<>();
        members.add(new GroupChange.Member(leading, 0, 0));
        leader.get()
                .getFollowersList()
                .forEach(
                        follower ->
                                members.add(
                                        new GroupChange.Member(
                                                follower.getName(),
                                                follower.getLag(),
                                                follower.getSilentMillis())));
        return unsafe.apply(members);
    }

    private static Optional<ReplicaStatus> leader(GroupView group) {
        return group.replicas().stream()
                .filter(replica -> group.leader().filter(replica.server()::equals).isPresent())
                .flatMap(replica -> replica.status().stream())
                .findFirst();
    }

    private boolean isMember(GroupView group, String name) {
        return leader(group)
                .filter(leader -> leader.getMembersList().contains(peer(name)))
                .isPresent();
    }

    /** With whatever disks: while one takes another's place, both may be members. */
    private static List<String> peers(GroupView group, String name) {
        return leader(group).stream()
                .flatMap(leader -> leader.getMembersList().stream())
                .filter(peer -> PeerName.serverOf(peer).equals(name))
                .toList();
    }

    private static Optional<ReplicaStatus> replica(GroupView group, String name) {
        return group.replicas().stream()
                .filter(replica -> replica.server().equals(name))
                .flatMap(replica -> replica.status().stream())
                .findFirst();
    }

    private String state(String name) {
        long in = groups.stream().filter(group -> isMember(group, name)).count();
        String of = in + " of " + groups.size() + " groups";
        MemberDisk disk = disk(name);
        if (disk.getLeaving()) {
            return "leaving, member of " + of;
        }
        if (!isMember(name)) {
            return disk.getNumber() > 1 ? "removed" : "not a member: not added yet";
        }
        if (disk.getNumber() > 1 && disk.getDisk().isEmpty()) {
            return "waits for an empty disk";
        }
        if (!answers.containsKey(name)) {
            return "does not answer, member of " + of;
        }
        if (!isThere(name)) {
            return "runs with a disk that was replaced";
        }
        long leads =
                groups.stream().filter(g -> g.leader().filter(name::equals).isPresent()).count();
        long caughtUp =
                groups.stream()
                        .filter(
                                g ->
                                        replica(g, name)
                                                .filter(ReplicaStatus::getCaughtUp)
                                                .isPresent())
                        .count();
        return "%s of %s, caught up in %d, leads %d"
                .formatted(disk.getJoining() ? "joining, member" : "member", of, caughtUp, leads);
    }

    /** Servers that keep the others from writing what they could. */
    private List<String> behind() {
        int most = servers.keySet().stream().mapToInt(this::supported).max().orElse(0);
        return servers.keySet().stream()
                .filter(name -> isMember(name) && supported(name) > 0 && supported(name) < most)
                .toList();
    }

    /** For people: a line a server. */
    public String toText() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SERVER", "ADDRESS", "RAFT", "DATACENTER", "DISK", "NUMBER", "STATE"));
        for (ServerMember server : servers.values()) {
            MemberDisk disk = disk(server.getName());
            rows.add(
                    List.of(
                            server.getName(),
                            server.getService().isEmpty() ? "-" : server.getService(),
                            server.getRaft().isEmpty() ? "-" : server.getRaft(),
                            datacenters.getOrDefault(server.getName(), "-"),
                            disk.getDisk().isEmpty() ? "-" : text(disk.getDisk()),
                            String.valueOf(disk.getNumber()),
                            state(server.getName())));
        }
        StringBuilder text = new StringBuilder(Columns.of("", rows));
        behind().forEach(
                        name ->
                                text.append(name)
                                        .append(" understands feature level ")
                                        .append(supported(name))
                                        .append(
                                                " only: no server writes a later one until it is upgraded")
                                        .append('\n'));
        troubles.forEach(
                (address, why) -> text.append(address).append(": ").append(why).append('\n'));
        return text.toString();
    }

    /** The highest feature level that any server reports for the registry; 0: no server answers. */
    public int featureLevel() {
        return answers.values().stream()
                .mapToInt(DescribeServerResponse::getFeatureLevel)
                .max()
                .orElse(0);
    }

    /** What a server's software understands, by its own word or what it has told; 0: not known. */
    public int supported(String name) {
        DescribeServerResponse answer = answers.get(name);
        return answer == null ? disk(name).getFeatureLevel() : answer.getSupportedFeatureLevel();
    }

    /** Whether the server itself has answered. */
    public boolean answers(String name) {
        return answers.containsKey(name);
    }

    /** For programs. Not protobufs as JSON: states are judged from the answers of all servers. */
    public ObjectNode toJson() {
        JsonNodeFactory json = JsonNodeFactory.instance;
        ObjectNode document = json.objectNode();
        document.put("rosterVersion", roster.getVersion());
        document.put("featureLevel", featureLevel());
        ArrayNode members = document.putArray("members");
        for (ServerMember server : servers.values()) {
            String name = server.getName();
            MemberDisk disk = disk(name);
            ObjectNode member = members.addObject();
            member.put("name", name);
            member.put("address", server.getService());
            member.put("raft", server.getRaft());
            member.put("datacenter", datacenters.get(name));
            member.put("disk", text(disk.getDisk()));
            member.put("number", disk.getNumber());
            member.put("featureLevel", supported(name));
            member.put("onRoster", isMember(name));
            member.put("joining", disk.getJoining());
            member.put("leaving", disk.getLeaving());
            member.put("answers", answers.containsKey(name));
            member.put("state", state(name));
            ArrayNode lost = member.putArray("lostDisks");
            disk.getLostList().forEach(one -> lost.add(text(one)));
            ArrayNode all = member.putArray("groups");
            for (GroupView group : groups) {
                ObjectNode entry = all.addObject();
                entry.put("group", group.name());
                entry.put("member", isMember(group, name));
                Optional<ReplicaStatus> replica = replica(group, name);
                entry.put(
                        "role",
                        replica.map(ReplicaStatus::getRole)
                                .orElse(ReplicaRole.ROLE_UNSPECIFIED)
                                .name()
                                .substring("ROLE_".length())
                                .toLowerCase(java.util.Locale.ROOT));
                entry.put("caughtUp", replica.filter(ReplicaStatus::getCaughtUp).isPresent());
            }
        }
        ObjectNode unreachable = document.putObject("unreachable");
        troubles.forEach(unreachable::put);
        return document;
    }
}
