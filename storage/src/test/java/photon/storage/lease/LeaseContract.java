package photon.storage.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import photon.storage.document.DocumentFolder;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;
import photon.storage.lease.LeaseDocument.Standing;

/** Leases, and the versioned documents on which they stand, on each kind of files. */
public abstract class LeaseContract {
    private static final int RACERS = 4;

    protected abstract FileStore files();

    /** An empty directory of this test's own. */
    protected abstract String directory();

    private LeaseDocument document() {
        return new LeaseDocument(
                new DocumentFolder(files(), directory() + "/state/leases"), "partition-0");
    }

    private static Optional<Lease> take(LeaseDocument document, String holder) throws IOException {
        return document.take(document.read(), holder, 0);
    }

    @Test
    void whatIsTakenIsRead() throws IOException {
        assertThat(document().read()).isEqualTo(new Standing(0, Optional.empty()));
        Lease lease = take(document(), "a").orElseThrow();
        assertThat(lease).isEqualTo(new Lease(1, "a", false));
        assertThat(document().read()).isEqualTo(new Standing(1, Optional.of(lease)));
    }

    @Test
    void ofTwoWhoTakeItOverWhatTheyHaveSeenOneGetsIt() throws IOException {
        Standing seen = document().read();
        assertThat(document().take(seen, "a", 0)).isPresent();
        assertThat(document().take(seen, "b", 0)).isEmpty();
        assertThat(document().read().lease().orElseThrow().holder()).isEqualTo("a");
    }

    @Test
    void ofManyWhoTakeItAtOneTimeOneGetsIt() throws Exception {
        for (int round = 0; round < 5; round++) {
            Standing seen = document().read();
            ExecutorService threads = Executors.newFixedThreadPool(RACERS);
            try {
                List<Callable<Optional<Lease>>> racers = new ArrayList<>();
                for (int i = 0; i < RACERS; i++) {
                    String holder = "racer-" + i;
                    racers.add(() -> document().take(seen, holder, 0));
                }
                List<Lease> got = new ArrayList<>();
                for (Future<Optional<Lease>> racer : threads.invokeAll(racers)) {
                    racer.get().ifPresent(got::add);
                }
                assertThat(got).hasSize(1);
                assertThat(document().read().lease()).contains(got.get(0));
            } finally {
                threads.shutdownNow();
            }
        }
    }

    @Test
    void eachTakingHasAHigherNumberThanAllBefore() throws IOException {
        LeaseDocument document = document();
        long before = 0;
        for (int i = 0; i < 5; i++) {
            Lease lease = take(document, "a").orElseThrow();
            assertThat(lease.number()).isGreaterThan(before);
            before = lease.number();
            assertThat(document.write(document.read().version(), lease)).isTrue();
            assertThat(document.read().isHeldBy(lease.number())).isTrue();
            document.write(document.read().version(), lease.asReleased());
            assertThat(document.read().isHeldBy(lease.number())).isFalse();
        }
        Lease above = document.take(document.read(), "b", 1_000).orElseThrow();
        assertThat(above.number()).isEqualTo(1_001);
        assertThat(take(document, "c").orElseThrow().number()).isGreaterThan(1_001);
    }

    /** Its number is not known then: it may be at work. */
    @Test
    void aTakingWhoseVersionIsDamagedDoesNotGiveItsNumberToTheNext() throws IOException {
        LeaseDocument document = document();
        assertThat(take(document, "a")).isPresent();
        Lease second = take(document, "b").orElseThrow();
        String newest = directory() + "/state/leases/partition-0.%020d".formatted(2);
        files().delete(newest);
        files().create(newest).close();
        Standing seen = document.read();
        assertThat(seen.version()).isEqualTo(2);
        assertThat(seen.lease().orElseThrow().holder()).isEqualTo("a");
        Lease third = document.take(seen, "c", 0).orElseThrow();
        assertThat(third.number()).isGreaterThan(second.number());
    }

    @Test
    void aRenewalThatComesLateIsRefused() throws IOException {
        LeaseDocument document = document();
        Lease first = take(document, "a").orElseThrow();
        Standing seen = document.read();
        Lease second = take(document(), "b").orElseThrow();
        assertThat(document.write(seen.version(), first)).isFalse();
        assertThat(document.read().lease()).contains(second);
    }

    @Test
    void aWriterThatStalledIsRefusedThoughItsVersionWasRemovedMeanwhile() throws IOException {
        String directory = directory() + "/document";
        files().createDirectories(directory);
        VersionedDocument stalled = new VersionedDocument(files(), directory, "d");
        VersionedDocument other = new VersionedDocument(files(), directory, "d");
        for (byte i = 0; i < 5; i++) {
            assertThat(other.write(i, new byte[] {i})).isTrue();
        }
        assertThat(stalled.write(1, new byte[] {9})).isFalse();
        assertThat(other.read().orElseThrow().content()).containsExactly(4);
        assertThat(stalled.isNewest(5)).isTrue();
        assertThat(stalled.isNewest(4)).isFalse();
    }
}
