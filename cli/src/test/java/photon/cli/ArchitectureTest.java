package photon.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import org.junit.jupiter.api.Test;

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
                    "photon.idregistry.replicated..");
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
                        "eventstore")) {
            slices().matching("photon." + module + ".(*)..")
                    .should()
                    .beFreeOfCycles()
                    .allowEmptyShould(true)
                    .check(PHOTON);
        }
    }
}
