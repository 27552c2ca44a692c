package photon.core.security;

import com.google.protobuf.MessageLite;
import io.grpc.MethodDescriptor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import photon.proto.v1.ControlGrpc;
import photon.proto.v1.DispatcherGrpc;
import photon.proto.v1.EventStoreGrpc;
import photon.proto.v1.JoinerGrpc;
import photon.proto.v1.LeadershipGrpc;
import photon.proto.v1.MembersGrpc;
import photon.proto.v1.RegisterDispatcherStateRequest;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegistryBackupGrpc;
import photon.proto.v1.RegistryGrpc;
import photon.proto.v1.RegistryRestoreGrpc;
import photon.proto.v1.RegistryStatusGrpc;
import photon.proto.v1.RetireDatacenterRequest;

/**
 * Says which method a role may call. What is not listed, nobody may. docs/security.md has the same
 * as a table.
 */
public final class Permissions {
    private static final Set<Role> DAEMONS = Set.of(Role.DAEMON);
    private static final Set<Role> OPERATORS = Set.of(Role.OPERATOR);
    private static final Set<Role> DAEMONS_AND_OPERATORS = Set.of(Role.DAEMON, Role.OPERATOR);
    private static final Set<Role> READERS = Set.of(Role.DAEMON, Role.OPERATOR, Role.VIEWER);

    private static final Set<Role> PEOPLE = Set.of(Role.OPERATOR, Role.VIEWER);

    /** gRPC's own services, whose classes only daemons have. */
    private static final List<String> HEALTH =
            List.of("grpc.health.v1.Health/Check", "grpc.health.v1.Health/Watch");

    private static final String REFLECTION =
            "grpc.reflection.v1.ServerReflection/ServerReflectionInfo";

    /** Read, and are not for viewers. A backup reads in thousands of calls. */
    private static final Set<String> READS =
            Stream.of(
                            RegistryGrpc.getLookupMethod(),
                            RegistryGrpc.getScanMethod(),
                            RegistryBackupGrpc.getReadCutMethod())
                    .map(MethodDescriptor::getFullMethodName)
                    .collect(Collectors.toUnmodifiableSet());

    private static final Map<String, Rule> RULES = rules();

    private Permissions() {}

    /**
     * Who may call a method.
     *
     * @param within true: of daemons only those of the server's own datacenter
     */
    private record Rule(Set<Role> roles, boolean within) {}

    private static Map<String, Rule> rules() {
        Map<String, Rule> rules = new HashMap<>();
        put(rules, READERS, RegistryStatusGrpc.getServiceDescriptor().getMethods());
        put(rules, READERS, Set.of(ControlGrpc.getDescribePipelineMethod()));
        put(rules, READERS, Set.of(ControlGrpc.getListIncarnationsMethod()));
        put(
                rules,
                DAEMONS,
                Set.of(
                        RegistryGrpc.getCommitMethod(),
                        RegistryGrpc.getRemoveMethod(),
                        RegistryGrpc.getCancelMethod(),
                        RegistryGrpc.getPrepareEpochMethod(),
                        RegistryGrpc.getTellClockMethod(),
                        ControlGrpc.getRegisterMethod(),
                        ControlGrpc.getRenewIncarnationMethod(),
                        MembersGrpc.getIntroduceMethod(),
                        MembersGrpc.getAdmitDiskMethod()));
        // A server that does not lead hands a transfer on, as the daemon that it is.
        put(
                rules,
                DAEMONS_AND_OPERATORS,
                Set.of(
                        RegistryGrpc.getFenceMethod(),
                        RegistryGrpc.getLookupMethod(),
                        RegistryGrpc.getScanMethod(),
                        ControlGrpc.getOpenPipelineMethod(),
                        ControlGrpc.getFenceIncarnationMethod(),
                        ControlGrpc.getSetIncarnationStateMethod(),
                        ControlGrpc.getRegisterDispatcherStateMethod(),
                        LeadershipGrpc.getTransferLeadershipMethod()));
        put(
                rules,
                OPERATORS,
                Set.of(
                        ControlGrpc.getBeginReshardMethod(),
                        ControlGrpc.getDecideReshardMethod(),
                        ControlGrpc.getSetPipelineMethod(),
                        ControlGrpc.getDropPipelineMethod(),
                        ControlGrpc.getReopenIncarnationMethod(),
                        ControlGrpc.getRetireDatacenterMethod(),
                        MembersGrpc.getReplaceMemberMethod(),
                        MembersGrpc.getChangeRosterMethod(),
                        MembersGrpc.getFinalizeUpgradeMethod(),
                        LeadershipGrpc.getHoldLeaderBalancingMethod()));
        put(rules, OPERATORS, RegistryBackupGrpc.getServiceDescriptor().getMethods());
        put(rules, OPERATORS, RegistryRestoreGrpc.getServiceDescriptor().getMethods());
        withinDatacenters(rules);
        put(rules, READERS, Set.of(DispatcherGrpc.getLogsMethod(), EventStoreGrpc.getLogsMethod()));
        HEALTH.forEach(method -> rules.put(method, new Rule(READERS, false)));
        rules.put(REFLECTION, new Rule(PEOPLE, false));
        return Map.copyOf(rules);
    }

    private static void withinDatacenters(Map<String, Rule> rules) {
        for (var service :
                Set.of(
                        EventStoreGrpc.getServiceDescriptor(),
                        DispatcherGrpc.getServiceDescriptor(),
                        JoinerGrpc.getServiceDescriptor())) {
            service.getMethods()
                    .forEach(
                            method ->
                                    rules.put(method.getFullMethodName(), new Rule(DAEMONS, true)));
        }
    }

    private static void put(
            Map<String, Rule> rules,
            Set<Role> roles,
            Iterable<? extends MethodDescriptor<?, ?>> methods) {
        methods.forEach(method -> rules.put(method.getFullMethodName(), new Rule(roles, false)));
    }

    /**
     * Why the caller may not call the method; empty: it may.
     *
     * @param method with its service, as gRPC writes it
     * @param server whom the server's certificate is for
     */
    public static String refusal(String method, PeerIdentity caller, PeerIdentity server) {
        Rule rule = RULES.get(method);
        if (rule == null) {
            return method + " is for nobody";
        }
        if (!rule.roles().contains(caller.role())) {
            return "%s is for the role %s, and the certificate is of %s"
                    .formatted(
                            method,
                            rule.roles().stream()
                                    .map(Role::label)
                                    .sorted()
                                    .collect(Collectors.joining(" or ")),
                            caller);
        }
        return rule.within() && !caller.datacenter().equals(server.datacenter())
                ? "%s is for daemons of datacenter %s, and the certificate is of %s"
                        .formatted(method, server.datacenter(), caller)
                : "";
    }

    /** Why the caller may not ask this, which it may call; empty: it may. */
    public static String refusalOf(Object message, PeerIdentity caller) {
        String named = datacenter(message);
        return named == null || caller.datacenter().isEmpty() || caller.datacenter().equals(named)
                ? ""
                : "The request is for datacenter %s, and the certificate is of %s"
                        .formatted(named, caller);
    }

    /** For which datacenter a message asks something; null: it names none. */
    private static @Nullable String datacenter(Object message) {
        if (!(message instanceof MessageLite)) {
            return null;
        }
        if (message instanceof RegisterRequest register) {
            // Such as "east/joiner-0".
            String slot = register.getSlotName();
            int slash = slot.indexOf('/');
            return slash < 0 ? slot : slot.substring(0, slash);
        }
        if (message instanceof RegisterDispatcherStateRequest state) {
            return state.getDatacenter();
        }
        return message instanceof RetireDatacenterRequest retire ? retire.getDatacenter() : null;
    }

    /** True if a person's call of it belongs into the log: it may change something. */
    public static boolean changes(String method) {
        Rule rule = RULES.get(method);
        return rule != null && !rule.roles().contains(Role.VIEWER) && !READS.contains(method);
    }

    /** All methods that anybody may call, for tests. */
    static Map<String, Set<Role>> all() {
        return RULES.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, rule -> rule.getValue().roles()));
    }
}
