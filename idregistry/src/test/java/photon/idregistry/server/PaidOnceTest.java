package photon.idregistry.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import photon.core.error.BugHandler;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.IdBatch;
import photon.registry.api.IdRegistry;
import photon.registry.api.IdRegistry.Freshness;
import photon.registry.api.IdRegistry.Scan;
import photon.registry.api.LookupAnswers;
import photon.registry.client.GrpcIdRegistry;

/** The example of docs/registry-client.md does what the page says, on three real servers. */
@Timeout(300)
class PaidOnceTest {
    private static final int ORDERS = 2_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path root;

    private static EventId order(int number) {
        return new EventId(TestRegistry.NOW_MICROS - number, 1, 2, 3);
    }

    @Test
    void twoPayersPayEachOrderOnceAndEverybodyCanRead() throws Exception {
        try (TestRegistry servers = new TestRegistry(root)) {
            servers.startAll();
            AtomicLong paid = new AtomicLong();
            try (PaidOnce east =
                            new PaidOnce(
                                    servers.services(),
                                    "east/payer-0",
                                    "01".repeat(16),
                                    Runnable::run);
                    PaidOnce west =
                            new PaidOnce(
                                    servers.services(),
                                    "west/payer-0",
                                    "02".repeat(16),
                                    Runnable::run)) {
                List<CompletableFuture<Boolean>> all = new ArrayList<>();
                for (int n = 0; n < ORDERS; n++) {
                    all.add(east.pay(order(n), paid::incrementAndGet));
                    all.add(west.pay(order(n), paid::incrementAndGet));
                }
                int times = 0;
                for (CompletableFuture<Boolean> one : all) {
                    times += one.get(60, TimeUnit.SECONDS) ? 1 : 0;
                }
                assertThat(times).isEqualTo(ORDERS);
                assertThat(paid.get()).isEqualTo(ORDERS);
            }
            read(servers);
            assertThat(servers.bugs).isEmpty();
        }
    }

    private static void read(TestRegistry servers) throws Exception {
        BugHandler bugs = (where, bug) -> servers.bugs.add(where + ": " + bug);
        try (GrpcIdRegistry connection =
                GrpcIdRegistry.connect(
                        servers.services(), "orders", IdRegistry.Options.DEFAULTS, bugs)) {
            IdRegistry registry = connection.registry().get(60, TimeUnit.SECONDS);
            IdBatch.Builder ids = IdBatch.builder(ORDERS + 1);
            for (int n = 0; n <= ORDERS; n++) {
                ids.add(order(n));
            }
            LookupAnswers found =
                    registry.lookup(ids.build(), Freshness.LINEARIZABLE, PATIENCE)
                            .get(60, TimeUnit.SECONDS);
            assertThat(found.held()).isEqualTo(ORDERS);
            assertThat(found.holder(ORDERS)).isNull();

            List<EventId> read = new ArrayList<>();
            Scan lastHundred = Scan.ofTime(order(100).micros(), order(0).micros());
            long count =
                    registry.scan(
                                    lastHundred,
                                    page -> {
                                        for (int i = 0; i < page.size(); i++) {
                                            read.add(page.ids().get(i));
                                        }
                                        return CompletableFuture.completedFuture(true);
                                    },
                                    PATIENCE)
                            .get(60, TimeUnit.SECONDS);
            assertThat(count).isEqualTo(100);
            assertThat(read).isSorted().doesNotHaveDuplicates();
            long all = 0;
            for (int slot = 1; slot <= 2; slot++) {
                all +=
                        registry.scan(
                                        Scan.ofIncarnation(new Incarnation(slot, 1)),
                                        page -> CompletableFuture.completedFuture(true),
                                        PATIENCE)
                                .get(60, TimeUnit.SECONDS);
            }
            assertThat(all).isEqualTo(ORDERS);
        }
    }

    @Test
    void thePageShowsThisSource() throws IOException {
        String source =
                Files.readString(Path.of("src/test/java/photon/idregistry/server/PaidOnce.java"));
        String begin = "// Docs begin\n";
        String shown =
                source.substring(
                        source.indexOf(begin) + begin.length(), source.indexOf("// Docs end"));
        assertThat(Files.readString(Path.of("../docs/registry-client.md")))
                .contains("```java\n" + shown + "```");
    }
}
