package photon.tools;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.security.SecureRandom;
import java.util.Date;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import photon.core.time.SystemClock;
import photon.storage.files.MemoryFileStore;

/** Dependencies point one way (docs/ARCHITECTURE.md). */
class ArchitectureTest {
    private static final String ADMIN = "photon.registry.admin";

    private static final JavaClasses PHOTON =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("photon");

    /**
     * What each part may know of the others, by package with all below it; every part may know
     * {@code proto}. A daemon knows another by its wire contract only.
     */
    private static final Map<String, Set<String>> MAY_KNOW = mayKnow();

    private static Map<String, Set<String>> mayKnow() {
        Map<String, Set<String>> rules = new LinkedHashMap<>();
        rules.put("photon.proto", Set.of());
        rules.put("photon.certs", Set.of());
        rules.put("photon.core", Set.of());
        rules.put("photon.adapter", Set.of());
        rules.put("photon.storage", Set.of("photon.core"));
        rules.put("photon.registry.api", Set.of("photon.core"));
        rules.put("photon.registry.client", Set.of("photon.core", "photon.registry.api"));
        rules.put(
                "photon.idregistry",
                Set.of("photon.core", "photon.registry.api", "photon.registry.client"));
        rules.put("photon.eventstore", Set.of("photon.core", "photon.storage"));
        rules.put(
                "photon.dispatcher",
                Set.of(
                        "photon.core",
                        "photon.storage",
                        "photon.registry.api",
                        "photon.registry.client"));
        rules.put("photon.joiner", plus(rules, "photon.dispatcher", "photon.adapter"));
        rules.put("photon.verifier", rules.get("photon.dispatcher"));
        // Plans go by the rules that the servers keep, and a backup is read as a server reads it.
        rules.put(
                ADMIN,
                plus(
                        rules,
                        "photon.dispatcher",
                        "photon.idregistry.batch",
                        "photon.idregistry.control",
                        "photon.idregistry.leaders",
                        "photon.idregistry.members",
                        "photon.idregistry.replicated",
                        "photon.idregistry.shard",
                        "photon.idregistry.table"));
        rules.put(
                "photon.server",
                plus(
                        rules,
                        "photon.dispatcher",
                        ADMIN,
                        "photon.adapter",
                        "photon.idregistry",
                        "photon.eventstore",
                        "photon.dispatcher",
                        "photon.joiner",
                        "photon.verifier"));
        rules.put("photon.cli", plus(rules, "photon.server", "photon.server"));
        Set<String> simulation = new HashSet<>(rules.get("photon.server"));
        simulation.remove(ADMIN);
        simulation.add("photon.server.datacenters"); // whether one may be retired
        rules.put("photon.simulation", simulation);
        rules.put("photon.testbed", rules.get("photon.cli"));
        rules.put("photon.demo", plus(rules, "photon.testbed", "photon.testbed"));
        // It measures with the generator's logs.
        rules.put("photon.bench", plus(rules, "photon.demo", "photon.demo"));
        rules.put(
                "photon.tools",
                plus(
                        rules,
                        "photon.demo",
                        "photon.cli",
                        "photon.simulation",
                        "photon.demo",
                        "photon.bench",
                        "photon.certs"));
        return rules;
    }

    private static Set<String> plus(
            Map<String, Set<String>> rules, String known, String... others) {
        Set<String> all = new HashSet<>(Objects.requireNonNull(rules.get(known)));
        all.addAll(List.of(others));
        return all;
    }

    private static String part(JavaClass type) {
        return MAY_KNOW.keySet().stream()
                .filter(part -> (type.getPackageName() + ".").startsWith(part + "."))
                .findFirst()
                .orElse("");
    }

    @Test
    void everyPackageBelongsToAPart() {
        assertThat(PHOTON)
                .allSatisfy(type -> assertThat(part(type)).as(type.getName()).isNotEmpty());
        assertThat(PHOTON.stream().map(ArchitectureTest::part).distinct())
                .containsExactlyInAnyOrderElementsOf(MAY_KNOW.keySet());
    }

    @Test
    void modulesPointOneWay() {
        for (Map.Entry<String, Set<String>> rule : MAY_KNOW.entrySet()) {
            String part = rule.getKey();
            String[] known =
                    Stream.concat(Stream.of(part, "photon.proto"), rule.getValue().stream())
                            .map(of -> of + "..")
                            .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(part + "..")
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("photon..").and(resideOutsideOfPackages(known)))
                    .check(PHOTON);
        }
    }

    @Test
    void productionHoldsNothingOnlyInMemory() {
        noClasses()
                .that()
                .resideOutsideOfPackages("photon.simulation..", "photon.storage.files..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(MemoryFileStore.class)
                .because("what it holds is gone when the process ends")
                .check(PHOTON);
    }

    @Test
    void aSimulatedWorldIsOneThreadAndASeed() {
        noClasses()
                .that()
                .resideInAPackage("photon.simulation..")
                .and()
                .resideOutsideOfPackage("photon.simulation.run..")
                .should()
                .dependOnClassesThat(
                        assignableTo(Thread.class)
                                .or(assignableTo(ExecutorService.class))
                                .or(assignableTo(Executors.class))
                                .or(assignableTo(java.util.Timer.class)))
                .orShould()
                .callMethodWhere(nameMatching(".*Async|parallel|parallelStream"))
                .because("the order of its tasks comes from the seed alone")
                .check(PHOTON);
        noClasses()
                .that()
                .resideInAPackage("photon.simulation..")
                .should()
                .callMethodWhere(
                        nameMatching("randomUUID")
                                .or(
                                        nameMatching("now|system.*")
                                                .and(
                                                        target(
                                                                owner(
                                                                        resideInAPackage(
                                                                                "java.time..")))))
                                .or(
                                        nameMatching("sleep")
                                                .and(target(owner(assignableTo(Thread.class))))))
                .orShould()
                .dependOnClassesThat(
                        assignableTo(SecureRandom.class)
                                .or(assignableTo(SystemClock.class))
                                .or(assignableTo(Date.class)))
                .because("its time and its randomness come from the seed alone")
                .check(PHOTON);
    }

    private static DescribedPredicate<JavaMethodCall> nameMatching(String regex) {
        return DescribedPredicate.describe(
                "its name matches " + regex, call -> call.getName().matches(regex));
    }

    @Test
    void decisionsTouchNothing() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "photon.idregistry.shard..",
                        "photon.idregistry.control..",
                        "photon.idregistry.batch..",
                        "photon.idregistry.boundary..",
                        "photon.idregistry.leaders..",
                        "photon.idregistry.members..",
                        "photon.idregistry.reshard..",
                        "photon..rules..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.nio.file..",
                        "java.net..",
                        "java.util.concurrent.locks..",
                        "io.grpc..",
                        "org.apache.ratis..",
                        "org.apache.hadoop..",
                        "org.rocksdb..")
                .because("decisions are replayed, so they may use only what they are handed")
                .check(PHOTON);
    }

    @Test
    void librariesOfTheOutsideStandInOnePlaceEach() {
        noClasses()
                .that()
                .resideOutsideOfPackage("photon.idregistry.raft..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.ratis..")
                .check(PHOTON);
        noClasses()
                .that()
                // The demo starts HDFS itself, in processes of its own.
                .resideOutsideOfPackages("photon.storage.files..", "photon.demo.hdfs..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .check(PHOTON);
        noClasses()
                .that()
                .resideOutsideOfPackage("photon.server..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.grpc.protobuf.services..", "io.grpc.health..", "io.grpc.reflection..")
                .because("the client of the registry is without grpc-services")
                .check(PHOTON);
        noClasses()
                .that()
                .resideOutsideOfPackage("photon.bench")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.rocksdb..")
                .check(PHOTON);
    }

    @Test
    void clocksAndRandomnessComeFromOutside() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "photon.cli..",
                        "photon.server..",
                        "photon.registry.admin..",
                        "photon.testbed..",
                        "photon.demo..",
                        "photon.tools..",
                        "photon.core.time..",
                        "photon.core.loop..",
                        "photon.bench..",
                        "photon.adapter.testing..",
                        "photon.proto..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callConstructor(java.util.Random.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.util.concurrent.ThreadLocalRandom.class)
                .because("the simulator replays them")
                .check(PHOTON);
    }

    /** At every depth, and with the classes at the root of a part. */
    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("photon.(**)").should().beFreeOfCycles().check(PHOTON);
    }
}
