package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import photon.cli.Photon;
import photon.cli.Repository;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.rpc.HostPort;

/**
 * What {@code deploy/kubernetes} is rendered to is of Kubernetes' API, and fits together: names
 * that refer to something, ports, and the configuration that the pods read. No cluster is there to
 * run it. Rendering needs {@code kubectl}, and no cluster either.
 */
class KubernetesTest {
    private static final Path KUBERNETES = Repository.root().resolve("deploy/kubernetes");
    private static final Path OVERLAYS = KUBERNETES.resolve("overlays");
    private static final int SECONDS_MAX = 120;
    private static final int METRICS_PORT = 9464;
    private static final String CERTIFICATES = "/var/lib/photon/certs";

    /** Made by hand, so that no key is in a file of Kustomize. */
    private static final String CERTIFICATES_SECRET = "photon-certs";

    private static final String OPERATOR_SECRET = "photon-operator-certs";

    @TempDir Path directory;

    private static boolean hasKubectl() {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "kubectl")));
    }

    private List<JsonNode> render(String place) throws Exception {
        return render(OVERLAYS, place);
    }

    private List<JsonNode> render(Path overlays, String place) throws Exception {
        assumeTrue(hasKubectl(), "kubectl renders, and is not there");
        Path out = directory.resolve("rendered.yaml");
        Process process =
                new ProcessBuilder("kubectl", "kustomize", overlays.resolve(place).toString())
                        .redirectOutput(out.toFile())
                        .redirectError(directory.resolve("err").toFile())
                        .start();
        try {
            assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(directory.resolve("err"))).isZero();
        try (MappingIterator<JsonNode> documents =
                new YAMLMapper().readerFor(JsonNode.class).readValues(out.toFile())) {
            return documents.readAll();
        }
    }

    private static List<JsonNode> ofKind(List<JsonNode> objects, String kind) {
        return objects.stream().filter(o -> o.path("kind").asText().equals(kind)).toList();
    }

    private static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    private static List<JsonNode> list(JsonNode node) {
        return StreamSupport.stream(node.spliterator(), false).toList();
    }

    private static List<String> texts(JsonNode node, String key) {
        return list(node).stream().map(each -> each.path(key).asText()).toList();
    }

    /** Whether a selector takes these labels. */
    private static boolean selects(JsonNode selector, JsonNode labels) {
        boolean matches =
                selector.path("matchLabels").properties().stream()
                        .allMatch(e -> e.getValue().equals(labels.get(e.getKey())));
        for (JsonNode expression : selector.path("matchExpressions")) {
            boolean in =
                    list(expression.get("values"))
                            .contains(labels.get(expression.get("key").asText()));
            String operator = expression.get("operator").asText();
            assertThat(operator).isIn("In", "NotIn");
            matches &= in == operator.equals("In");
        }
        return matches;
    }

    private static List<JsonNode> selected(List<JsonNode> objects, JsonNode selector) {
        List<JsonNode> selected =
                ofKind(objects, "StatefulSet").stream()
                        .map(set -> set.at("/spec/template"))
                        .filter(pod -> selects(selector, pod.at("/metadata/labels")))
                        .toList();
        assertThat(selected).as("pods of the selector %s", selector).isNotEmpty();
        return selected;
    }

    private static JsonNode container(JsonNode pod) {
        assertThat(pod.at("/spec/containers")).hasSize(1);
        return pod.at("/spec/containers/0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"east", "west", "witness"})
    void eachObjectIsOfTheApi(String place) throws Exception {
        List<JsonNode> objects = render(place);
        assertThat(objects).hasSizeGreaterThan(5);
        for (JsonNode object : objects) {
            KubernetesApi.check(object);
            String namespace =
                    object.path("kind").asText().equals("Namespace")
                            ? name(object)
                            : object.at("/metadata/namespace").asText();
            assertThat(namespace).isEqualTo("photon-" + place);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{apiVersion: v1, kind: Service, spec: {clusterIp: None}}",
                "{apiVersion: v1, kind: Service, spec: {ports: {port: 1}}}",
                "{apiVersion: v1, kind: Service, spec: {ports: [{port: many}]}}",
                "{apiVersion: apps/v1, kind: StatefulSet, spec: {template: {spec: {port: 1}}}}",
                "{apiVersion: apps/v1, kind: StatefulSet, spec: {replicas: two}}",
                "{apiVersion: v1, kind: ConfigMap, data: {a: 1}}",
                "{apiVersion: apps/v1beta1, kind: StatefulSet}"
            })
    void whatIsNotOfTheApiIsRefused(String object) throws Exception {
        JsonNode wrong = new YAMLMapper().readTree(object);
        assertThatThrownBy(() -> KubernetesApi.check(wrong)).isInstanceOf(AssertionError.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"east", "west", "witness"})
    void selectorsTakePodsAndPortsAreThose(String place) throws Exception {
        List<JsonNode> objects = render(place);
        for (JsonNode set : ofKind(objects, "StatefulSet")) {
            JsonNode labels = set.at("/spec/template/metadata/labels");
            assertThat(selects(set.at("/spec/selector"), labels)).isTrue();
            assertThat(ofKind(objects, "Service")).map(KubernetesTest::name).contains(name(set));
            assertThat(set.at("/spec/serviceName").asText()).isEqualTo(name(set));
        }
        for (JsonNode service : ofKind(objects, "Service")) {
            JsonNode selector =
                    new YAMLMapper()
                            .createObjectNode()
                            .set("matchLabels", service.at("/spec/selector"));
            List<JsonNode> pods = selected(objects, selector);
            assertThat(pods).hasSize(1);
            JsonNode ports = container(pods.get(0)).get("ports");
            for (JsonNode port : service.at("/spec/ports")) {
                assertThat(list(ports))
                        .anySatisfy(
                                p -> {
                                    assertThat(p.get("name")).isEqualTo(port.get("targetPort"));
                                    assertThat(p.get("containerPort")).isEqualTo(port.get("port"));
                                });
            }
        }
        for (JsonNode budget : ofKind(objects, "PodDisruptionBudget")) {
            JsonNode selector = budget.at("/spec/selector");
            selected(objects, selector);
            // A budget that takes the pod of a job allows no eviction.
            assertThat(ofKind(objects, "CronJob"))
                    .extracting(job -> job.at("/spec/jobTemplate/spec/template/metadata/labels"))
                    .noneMatch(labels -> selects(selector, labels));
        }
    }

    @Test
    void serversOfOneRegistryAreKeptOnNodesOfTheirOwn() throws Exception {
        JsonNode set =
                ofKind(render("east"), "StatefulSet").stream()
                        .filter(one -> one.at("/metadata/name").asText().equals("east-registry"))
                        .findFirst()
                        .orElseThrow();
        JsonNode labels = set.at("/spec/template/metadata/labels");
        JsonNode apart = set.at("/spec/template/spec/affinity/podAntiAffinity");
        JsonNode ofThePlace = apart.at("/requiredDuringSchedulingIgnoredDuringExecution/0");
        JsonNode ofAll =
                apart.at("/preferredDuringSchedulingIgnoredDuringExecution/0/podAffinityTerm");
        assertThat(selects(ofThePlace.get("labelSelector"), labels)).isTrue();
        assertThat(selects(ofAll.get("labelSelector"), labels)).isTrue();
        assertThat(ofThePlace.has("namespaceSelector")).isFalse();
        assertThat(ofAll.get("namespaceSelector")).as("each namespace").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"east", "west", "witness"})
    void whatListensIsReachedAndNothingElse(String place) throws Exception {
        List<JsonNode> objects = render(place);
        Set<Integer> listens = new HashSet<>();
        for (JsonNode set : ofKind(objects, "StatefulSet")) {
            list(container(set.at("/spec/template")).get("ports"))
                    .forEach(p -> listens.add(p.get("containerPort").asInt()));
        }
        Set<Integer> admitted = new HashSet<>();
        boolean denies = false;
        for (JsonNode policy : ofKind(objects, "NetworkPolicy")) {
            JsonNode spec = policy.get("spec");
            if (!spec.get("podSelector").isEmpty()) {
                selected(objects, spec.get("podSelector"));
            }
            denies |=
                    spec.get("podSelector").isEmpty()
                            && spec.path("policyTypes").size() == 2
                            && spec.path("ingress").isEmpty()
                            && spec.path("egress").isEmpty();
            for (JsonNode rule : spec.path("ingress")) {
                assertThat(rule.path("from")).as("from anywhere: %s", policy).isNotEmpty();
                list(rule.path("ports")).forEach(p -> admitted.add(p.get("port").asInt()));
            }
        }
        assertThat(denies).as("what no policy allows is denied").isTrue();
        assertThat(admitted).isEqualTo(listens);
    }

    @ParameterizedTest
    @ValueSource(strings = {"east", "west", "witness"})
    void whatAPodNamesIsThere(String place) throws Exception {
        List<JsonNode> objects = render(place);
        for (JsonNode set : ofKind(objects, "StatefulSet")) {
            whatThePodNamesIsThere(
                    objects,
                    set.at("/spec/template"),
                    set.at("/spec/volumeClaimTemplates"),
                    CERTIFICATES_SECRET);
        }
        for (JsonNode job : ofKind(objects, "CronJob")) {
            whatThePodNamesIsThere(
                    objects,
                    job.at("/spec/jobTemplate/spec/template"),
                    job.at("/spec/volumeClaimTemplates"),
                    OPERATOR_SECRET);
        }
    }

    private static void whatThePodNamesIsThere(
            List<JsonNode> objects, JsonNode pod, JsonNode claims, String secret) {
        List<String> volumes = new ArrayList<>(texts(pod.at("/spec/volumes"), "name"));
        list(claims).forEach(claim -> volumes.add(name(claim)));
        assertThat(volumes).doesNotHaveDuplicates();
        assertThat(texts(container(pod).get("volumeMounts"), "name"))
                .containsExactlyInAnyOrderElementsOf(volumes);
        for (JsonNode volume : pod.at("/spec/volumes")) {
            if (volume.has("configMap")) {
                assertThat(ofKind(objects, "ConfigMap"))
                        .map(KubernetesTest::name)
                        .contains(volume.at("/configMap/name").asText());
            } else if (volume.has("persistentVolumeClaim")) {
                assertThat(ofKind(objects, "PersistentVolumeClaim"))
                        .map(KubernetesTest::name)
                        .contains(volume.at("/persistentVolumeClaim/claimName").asText());
            } else if (volume.has("secret")) {
                assertThat(volume.at("/secret/secretName").asText()).isEqualTo(secret);
            } else {
                assertThat(volume.has("emptyDir")).as("%s", volume).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"east", "west", "witness"})
    void eachPodIsProbedBoundedAndConfined(String place) throws Exception {
        for (JsonNode set : ofKind(render(place), "StatefulSet")) {
            JsonNode pod = set.at("/spec/template");
            JsonNode container = container(pod);
            assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/livez");
            assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/readyz");
            for (String probe : List.of("livenessProbe", "readinessProbe")) {
                String port = container.get(probe).at("/httpGet/port").asText();
                assertThat(list(container.get("ports")))
                        .anyMatch(
                                p ->
                                        p.get("name").asText().equals(port)
                                                && p.get("containerPort").asInt() == METRICS_PORT);
            }
            assertThat(container.at("/resources/requests/cpu").isMissingNode()).isFalse();
            assertThat(container.at("/resources/requests/memory"))
                    .isEqualTo(container.at("/resources/limits/memory"));
            isConfined(pod);
        }
    }

    private static void isConfined(JsonNode pod) throws IOException {
        JsonNode container = container(pod);
        assertThat(pod.at("/spec/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/spec/automountServiceAccountToken").asBoolean(true)).isFalse();
        JsonNode rights = container.get("securityContext");
        assertThat(rights.get("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(rights.get("allowPrivilegeEscalation").asBoolean()).isFalse();
        assertThat(rights.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
        assertThat(container.get("image").asText())
                .isEqualTo("photon:" + ComposeTest.imageVersion());
    }

    @ParameterizedTest
    @ValueSource(strings = {"east", "west"})
    void aBackupIsMadeOneAtATimeByAnOperator(String place) throws Exception {
        List<JsonNode> objects = render(place);
        JsonNode job = cronJob(objects, place + "-backup");
        assertThat(job.at("/spec/concurrencyPolicy").asText()).isEqualTo("Forbid");
        JsonNode pod = job.at("/spec/jobTemplate/spec/template");
        isConfined(pod);
        JsonNode container = container(pod);
        String[] words =
                list(container.get("args")).stream().map(JsonNode::asText).toArray(String[]::new);
        assertThat(words).startsWith("registry", "backup", "--into");
        assertThat(Photon.commandLine().parseArgs(words).errors()).isEmpty();
        List<String> mounted = texts(container.get("volumeMounts"), "mountPath");
        assertThat(mounted).contains(words[3], CERTIFICATES);
        assertThat(texts(container.get("env"), "value"))
                .hasSize(3)
                .allMatch(file -> file.startsWith(CERTIFICATES + "/"));
        mayCall(objects, place, pod);
    }

    private static JsonNode cronJob(List<JsonNode> objects, String name) {
        return ofKind(objects, "CronJob").stream()
                .filter(job -> name(job).equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The policy "calls" lets it reach the registry. */
    private static void mayCall(List<JsonNode> objects, String place, JsonNode pod) {
        JsonNode calls =
                ofKind(objects, "NetworkPolicy").stream()
                        .filter(policy -> name(policy).equals(place + "-calls"))
                        .findFirst()
                        .orElseThrow();
        assertThat(selects(calls.at("/spec/podSelector"), pod.at("/metadata/labels"))).isTrue();
    }

    /** What the configuration names is there, as in a dispatcher's pod. */
    @ParameterizedTest
    @ValueSource(strings = {"east", "west"})
    void anOperatorsCommandsRunWhereADispatcherDoes(String place) throws Exception {
        List<JsonNode> objects = render(place);
        JsonNode job = cronJob(objects, place + "-operator");
        assertThat(job.at("/spec/suspend").asBoolean()).as("never by itself").isTrue();
        assertThat(job.at("/spec/jobTemplate/spec/backoffLimit").asInt(-1)).isZero();
        JsonNode pod = job.at("/spec/jobTemplate/spec/template");
        isConfined(pod);
        mayCall(objects, place, pod);
        JsonNode dispatcher =
                ofKind(objects, "StatefulSet").stream()
                        .filter(set -> name(set).equals(place + "-dispatcher"))
                        .findFirst()
                        .orElseThrow();
        assertThat(texts(container(pod).get("volumeMounts"), "mountPath"))
                .containsExactlyInAnyOrderElementsOf(
                        texts(
                                container(dispatcher.at("/spec/template")).get("volumeMounts"),
                                "mountPath"));
        assertThat(texts(container(pod).get("env"), "value"))
                .hasSize(3)
                .allMatch(file -> file.startsWith(CERTIFICATES + "/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"east", "west", "witness"})
    void theConfigurationNamesThePods(String place) throws Exception {
        theConfigurationNamesThePods(render(place), place);
    }

    /** As docs/containers.md says it: an entry in the configuration, and a higher count. */
    @ParameterizedTest
    @ValueSource(strings = {"east", "west"})
    void anEventStoreIsAddedByAnEntryAndTheCount(String place) throws Exception {
        Path copy = directory.resolve("kubernetes");
        copyTree(KUBERNETES, copy);
        Path overlay = copy.resolve("overlays").resolve(place);
        replaceIn(
                overlay.resolve("kustomization.yaml"),
                "{name: eventstore, count: 1}",
                "{name: eventstore, count: 2}");
        List<String> entry =
                Files.readAllLines(overlay.resolve("photon.yaml")).stream()
                        .filter(line -> line.contains("-eventstore-0"))
                        .toList();
        assertThat(entry).hasSize(2);
        String text = String.join("\n", entry);
        replaceIn(
                overlay.resolve("photon.yaml"),
                text,
                text + "\n" + text.replace("-eventstore-0", "-eventstore-1"));
        List<JsonNode> objects = render(copy.resolve("overlays"), place);
        assertThat(theConfigurationNamesThePods(objects, place).eventStores())
                .extracting(DeploymentConfig.EventStore::name)
                .containsExactly(place + "-eventstore-0", place + "-eventstore-1");
    }

    private static void replaceIn(Path file, String part, String by) throws IOException {
        String text = Files.readString(file);
        assertThat(text).contains(part);
        Files.writeString(file, text.replace(part, by));
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    private static DeploymentConfig theConfigurationNamesThePods(
            List<JsonNode> objects, String place) {
        JsonNode config = ofKind(objects, "ConfigMap").get(0);
        ConfigLoader.Loaded loaded =
                ConfigLoader.parse(
                        config.at("/data/photon.yaml").asText(),
                        Path.of("/etc/photon/photon.yaml"));
        assertThat(loaded.metricsListen()).contains(new HostPort("0.0.0.0", METRICS_PORT));
        DeploymentConfig deployment = loaded.deployment().orElseThrow();
        List<String> servers = new ArrayList<>();
        for (DeploymentConfig.RegistryReplica server : deployment.registry()) {
            if (server.datacenter().equals(place)) {
                servers.add(server.name());
                listensAt(objects, server.raft(), server.name());
                listensAt(objects, server.service(), server.name());
            }
        }
        assertThat(servers).containsExactlyElementsOf(pods(objects, place + "-registry"));
        if (!place.equals("witness")) {
            deployment.eventStores().forEach(s -> listensAt(objects, s.address(), s.name()));
            assertThat(deployment.eventStores().stream().map(DeploymentConfig.EventStore::name))
                    .containsExactlyElementsOf(pods(objects, place + "-eventstore"));
            listensAt(objects, deployment.dispatcher(), place + "-dispatcher-0");
            deployment.joiners().forEach(j -> listensAt(objects, j.address(), j.name()));
            assertThat(deployment.joiners().stream().map(DeploymentConfig.Joiner::name))
                    .containsExactlyElementsOf(pods(objects, place + "-joiner"));
        }
        for (JsonNode set : ofKind(objects, "StatefulSet")) {
            String role = name(set).substring(place.length() + 1);
            JsonNode container = container(set.at("/spec/template"));
            List<String> args = list(container.get("args")).stream().map(JsonNode::asText).toList();
            assertThat(args.subList(0, 2)).containsExactly("run", role);
            boolean named = List.of("registry", "joiner", "eventstore").contains(role);
            assertThat(args.contains("$(POD_NAME)")).isEqualTo(named);
        }
        return deployment;
    }

    /** All places list the same servers, and none has half of them. */
    @ParameterizedTest
    @ValueSource(strings = {"east", "west", "witness"})
    void allPlacesListTheSameServers(String place) throws IOException {
        String text = Files.readString(OVERLAYS.resolve(place).resolve("photon.yaml"));
        assertThat(text).contains("certificate: " + CERTIFICATES);
        List<DeploymentConfig.RegistryReplica> servers =
                ConfigLoader.load(OVERLAYS.resolve(place).resolve("photon.yaml"))
                        .deployment()
                        .orElseThrow()
                        .registry();
        assertThat(servers).hasSize(5);
        assertThat(servers)
                .isEqualTo(
                        ConfigLoader.load(OVERLAYS.resolve("east/photon.yaml"))
                                .deployment()
                                .orElseThrow()
                                .registry());
        assertThat(servers.stream().filter(s -> s.datacenter().equals(place)).count())
                .isLessThanOrEqualTo(2);
    }

    private static List<String> pods(List<JsonNode> objects, String set) {
        JsonNode found =
                ofKind(objects, "StatefulSet").stream()
                        .filter(each -> name(each).equals(set))
                        .findFirst()
                        .orElseThrow();
        return Stream.iterate(0, i -> i + 1)
                .limit(found.at("/spec/replicas").asInt())
                .map(i -> set + "-" + i)
                .toList();
    }

    private static void listensAt(List<JsonNode> objects, HostPort address, String pod) {
        String set = pod.substring(0, pod.lastIndexOf('-'));
        String place = set.substring(0, set.indexOf('-'));
        assertThat(address.host())
                .isEqualTo("%s.%s.photon-%s.svc.cluster.local".formatted(pod, set, place));
        assertThat(pods(objects, set)).contains(pod);
        JsonNode ports =
                ofKind(objects, "Service").stream()
                        .filter(service -> name(service).equals(set))
                        .findFirst()
                        .orElseThrow()
                        .at("/spec/ports");
        assertThat(list(ports).stream().map(p -> p.get("port").asInt())).contains(address.port());
    }
}
