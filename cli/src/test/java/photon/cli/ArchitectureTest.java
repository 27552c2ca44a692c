package photon.cli;

import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.security.SecureRandom;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import photon.core.time.SystemClock;
import photon.storage.files.MemoryFileStore;

/** Dependencies point one way (docs/ARCHITECTURE.md). */
class ArchitectureTest {
    private static final JavaClasses PHOTON =
            new ClassFileImporter()
                    .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                    .withImportOption(location -> !location.contains("-tests.jar"))
                    .importPackages("photon");

    /** What each part may not know; a daemon knows another by its wire contract only. */
    private static void mayNotKnow(String part, String... others) {
        noClasses()
                .that()
                .resideInAnyPackage(part + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .check(PHOTON);
    }

    @Test
    void modulesPointOneWay() {
        String[] daemons = {
            "photon.eventstore..", "photon.dispatcher..", "photon.joiner..", "photon.verifier.."
        };
        mayNotKnow(
                "photon.proto",
                "photon.core..",
                "photon.storage..",
                "photon.idregistry..",
                "photon.adapter..");
        mayNotKnow(
                "photon.core",
                "photon.storage..",
                "photon.idregistry..",
                "photon.adapter..",
                "photon.cli..");
        mayNotKnow("photon.core", daemons);
        mayNotKnow(
                "photon.adapter",
                "photon.core..",
                "photon.storage..",
                "photon.idregistry..",
                "photon.cli..");
        mayNotKnow("photon.storage", "photon.idregistry..", "photon.adapter..", "photon.cli..");
        mayNotKnow("photon.storage", daemons);
        mayNotKnow("photon.idregistry", "photon.storage..", "photon.adapter..", "photon.cli..");
        mayNotKnow("photon.idregistry", daemons);
        for (String daemon : daemons) {
            String[] others =
                    List.of(daemons).stream()
                            .filter(other -> !other.equals(daemon))
                            .toArray(String[]::new);
            mayNotKnow(daemon.replace("..", ""), others);
            mayNotKnow(daemon.replace("..", ""), "photon.cli..");
        }
        mayNotKnow("photon.simulation", "photon.cli..", "photon.bench..");
    }

    @Test
    void nothingButTheCommandLineKnowsTheSimulator() {
        noClasses()
                .that()
                .resideOutsideOfPackages("photon.simulation..", "photon.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("photon.simulation..")
                .because("what runs in production is the same in a simulated world")
                .check(PHOTON);
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
    void daemonsSeeOnlyTheFaceOfTheRegistry() {
        for (String daemon : List.of("eventstore", "dispatcher", "joiner", "verifier")) {
            mayNotKnow(
                    "photon." + daemon,
                    "photon.idregistry.shard..",
                    "photon.idregistry.control..",
                    "photon.idregistry.batch..",
                    "photon.idregistry.raft..",
                    "photon.idregistry.server..",
                    "photon.idregistry.replicated..",
                    "photon.idregistry.table..");
        }
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
                .resideOutsideOfPackage("photon.storage.files..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.hadoop..")
                .check(PHOTON);
        noClasses()
                .that()
                .resideOutsideOfPackage("photon.eventstore.index..")
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
                        "photon.core.time..",
                        "photon.core.loop..",
                        "photon.bench..",
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

    @Test
    void packagesAreFreeOfCyclesWithinAModule() {
        for (String module :
                List.of(
                        "core",
                        "storage",
                        "idregistry",
                        "dispatcher",
                        "joiner",
                        "verifier",
                        "eventstore",
                        "simulation")) {
            slices().matching("photon." + module + ".(*)..")
                    .should()
                    .beFreeOfCycles()
                    .allowEmptyShould(true)
                    .check(PHOTON);
        }
    }
}
