package photon.core.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ServiceDescriptor;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

class PermissionsTest {
    private static final List<ServiceDescriptor> SERVICES =
            List.of(
                    ControlGrpc.getServiceDescriptor(),
                    DispatcherGrpc.getServiceDescriptor(),
                    EventStoreGrpc.getServiceDescriptor(),
                    JoinerGrpc.getServiceDescriptor(),
                    LeadershipGrpc.getServiceDescriptor(),
                    MembersGrpc.getServiceDescriptor(),
                    RegistryGrpc.getServiceDescriptor(),
                    RegistryBackupGrpc.getServiceDescriptor(),
                    RegistryRestoreGrpc.getServiceDescriptor(),
                    RegistryStatusGrpc.getServiceDescriptor());

    /** Whose classes are not here: a test in {@code server} compares the names. */
    private static final List<String> OF_GRPC =
            List.of(
                    "grpc.health.v1.Health/Check",
                    "grpc.health.v1.Health/Watch",
                    "grpc.reflection.v1.ServerReflection/ServerReflectionInfo");

    private static final PeerIdentity SERVER = new PeerIdentity("east", Role.DAEMON, "r0");

    private static PeerIdentity caller(String datacenter, Role role) {
        return new PeerIdentity(datacenter, role, "x");
    }

    @Test
    void everyMethodIsForSomebodyAndNoneForAnAdapter() {
        Set<String> methods =
                SERVICES.stream()
                        .flatMap(service -> service.getMethods().stream())
                        .map(method -> method.getFullMethodName())
                        .collect(Collectors.toCollection(TreeSet::new));
        methods.addAll(OF_GRPC);
        assertThat(new TreeSet<>(Permissions.all().keySet())).isEqualTo(methods);
        assertThat(Permissions.all().values())
                .allSatisfy(roles -> assertThat(roles).isNotEmpty().doesNotContain(Role.ADAPTER));
    }

    @Test
    void whatIsNotListedIsForNobody() {
        assertThat(
                        Permissions.refusal(
                                "photon.v1.Control/Own", caller("east", Role.DAEMON), SERVER))
                .isEqualTo("photon.v1.Control/Own is for nobody");
    }

    @ParameterizedTest
    @CsvSource({
        "Registry/Commit,           DAEMON,   ok",
        "Registry/Commit,           OPERATOR, daemon",
        "Registry/Commit,           VIEWER,   daemon",
        "Registry/Commit,           ADAPTER,  daemon",
        "Registry/Fence,            OPERATOR, ok",
        "Registry/Remove,           OPERATOR, daemon",
        "Control/DropPipeline,      OPERATOR, ok",
        "Control/DropPipeline,      DAEMON,   operator",
        "Control/DropPipeline,      VIEWER,   operator",
        "Control/RetireDatacenter,  DAEMON,   operator",
        "Control/FenceIncarnation,  VIEWER,   daemon or operator",
        "RegistryRestore/Restore,   DAEMON,   operator",
        "RegistryBackup/ReadCut,    VIEWER,   operator",
        "Members/AdmitDisk,         OPERATOR, daemon",
        "Members/ReplaceMember,     DAEMON,   operator",
        "Members/ChangeRoster,      DAEMON,   operator",
        "Members/FinalizeUpgrade,   DAEMON,   operator",
        "RegistryStatus/DescribeServer, VIEWER, ok",
        "RegistryStatus/DescribeAudit,  VIEWER, ok",
        "RegistryStatus/DescribeServer, ADAPTER, daemon or operator or viewer",
        "EventStore/Lookup,         OPERATOR, daemon",
    })
    void aMethodIsForItsRoles(String method, Role role, String needed) {
        assertThat(Permissions.refusal("photon.v1." + method, caller("east", role), SERVER))
                .isEqualTo(
                        needed.equals("ok")
                                ? ""
                                : "photon.v1.%s is for the role %s, and the certificate is of %s x of east"
                                        .formatted(method, needed, role.label()));
    }

    /** What is read belongs to no log of changes: a backup would hide all else there. */
    @ParameterizedTest
    @CsvSource({
        "Control/DropPipeline, true",
        "Registry/Fence, true",
        "Leadership/HoldLeaderBalancing, true",
        "RegistryBackup/CutGroup, true",
        "RegistryBackup/ReadCut, false",
        "RegistryRestore/LoadIds, true",
        "Registry/Lookup, false",
        "Registry/Scan, false",
        "RegistryStatus/DescribeServer, false",
        "EventStore/Logs, false",
        "Control/Own, false",
    })
    void whatMayChangeSomethingIsLogged(String method, boolean changes) {
        assertThat(Permissions.changes("photon.v1." + method)).isEqualTo(changes);
    }

    @Test
    void whatServesADatacenterIsForItsOwnDaemons() {
        PeerIdentity west = caller("west", Role.DAEMON);
        for (String method :
                List.of("EventStore/Lookup", "Joiner/Join", "Dispatcher/AddRepairRows")) {
            assertThat(Permissions.refusal("photon.v1." + method, west, SERVER))
                    .contains("is for daemons of datacenter east")
                    .contains("x of west");
        }
        assertThat(Permissions.refusal("photon.v1.Registry/Commit", west, SERVER)).isEmpty();
    }

    @Test
    void aCertificateOfADatacenterActsForNoOther() {
        List<Object> ofEast =
                List.of(
                        RegisterRequest.newBuilder().setSlotName("east/joiner-0").build(),
                        RegisterDispatcherStateRequest.newBuilder().setDatacenter("east").build(),
                        RetireDatacenterRequest.newBuilder().setDatacenter("east").build());
        for (Object message : ofEast) {
            assertThat(Permissions.refusalOf(message, caller("east", Role.DAEMON))).isEmpty();
            assertThat(Permissions.refusalOf(message, caller("", Role.OPERATOR))).isEmpty();
            assertThat(Permissions.refusalOf(message, caller("west", Role.DAEMON)))
                    .isEqualTo(
                            "The request is for datacenter east, and the certificate is of daemon x of west");
        }
    }
}
