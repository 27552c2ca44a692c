package photon.storage.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static photon.storage.output.OutputFixture.DIRECTORY;
import static photon.storage.output.OutputFixture.EAST;
import static photon.storage.output.OutputFixture.open;
import static photon.storage.output.OutputFixture.published;
import static photon.storage.output.OutputFixture.record;

import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import photon.core.id.Incarnation;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.OutputFixture.Died;
import photon.storage.output.RetiredIncarnations.Left;

class RetirementTest {
    private static final Left LEFT = new Left(1, 2, 3, 0, 7);

    private static MemoryFileStore sealed(long seed) throws IOException {
        MemoryFileStore files = new MemoryFileStore(seed);
        OutputDirectory output = open(files);
        WorkDirectory work = output.createWorkDirectory(EAST);
        for (int n = 1; n <= 2; n++) {
            WorkDirectory.WorkLog log = work.createLog();
            log.append(record(n));
            log.finish();
            work.publish(log);
        }
        output.seal(EAST);
        return files;
    }

    @Test
    void itsManifestsAndFoldersGoAndItsPublishedFilesStay() throws IOException {
        MemoryFileStore files = sealed(1);
        OutputDirectory output = open(files);
        Map<String, String> published = published(files, DIRECTORY);
        assertThat(output.retirement().record(EAST, LEFT)).isTrue();
        assertThat(output.retirement().record(EAST, LEFT)).as("summed once").isFalse();
        assertThat(output.retirement().leftovers()).containsExactly(EAST);
        assertThat(output.incarnations()).isEmpty();
        assertThat(output.retirement().remove(EAST))
                .isEqualTo(new Retirement.Removed(2, 2)); // the directory and the tombstone
        assertThat(output.retirement().remove(EAST)).isEqualTo(new Retirement.Removed(0, 0));
        assertThat(output.retirement().leftovers()).isEmpty();
        assertThat(published(files, DIRECTORY)).isEqualTo(published).hasSize(2);
        assertThat(output.strangers()).as("its files are known").isEmpty();
        assertThat(output.retirement().retired().sum()).isEqualTo(LEFT);
        assertThat(files.list(DIRECTORY + "/_work"))
                .extracting(entry -> OutputNames.last(entry.path()))
                .allMatch(name -> name.startsWith("retired."));
    }

    /** An empty list of manifests would make all that it holds look lost. */
    @Test
    void oneThatIsRetiredIsNeverTakenForOneWithoutManifests() throws IOException {
        MemoryFileStore files = sealed(1);
        OutputDirectory output = open(files);
        output.retirement().record(EAST, LEFT);
        output.retirement().remove(EAST);
        assertThatThrownBy(() -> output.manifests(EAST)).hasMessageContaining("is retired");
        assertThatThrownBy(() -> output.storedManifests(EAST)).hasMessageContaining("is retired");
        assertThatThrownBy(() -> output.seal(EAST)).hasMessageContaining("is retired");
    }

    @Test
    void whatIsNotRetiredIsNotRemoved() throws IOException {
        MemoryFileStore files = sealed(1);
        OutputDirectory output = open(files);
        output.retirement().record(new Incarnation(3, 1), LEFT);
        assertThatThrownBy(() -> output.retirement().remove(EAST))
                .hasMessageContaining("3-17 is not");
        assertThat(output.manifests(EAST)).hasSize(2);
    }

    @Test
    void aPowerCutAnywhereLeavesAllOfItOrTheWordThatItIsRetired() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            boolean through = false;
            for (int at = 1; !through; at++) {
                MemoryFileStore files = sealed(seed * 1_000L + at);
                int[] count = {0};
                int operation = at;
                files.setHook(
                        (what, path) -> {
                            if (what.changes() && ++count[0] == operation) {
                                throw new Died(what + " " + path);
                            }
                        });
                try {
                    OutputDirectory output = open(files);
                    output.retirement().record(EAST, LEFT);
                    output.retirement().remove(EAST);
                    through = true;
                } catch (Died e) {
                    through = false;
                }
                files.setHook((what, path) -> {});
                files.crash();
                OutputDirectory again = open(files);
                if (again.retirement().retired().contains(EAST)) {
                    again.retirement().remove(EAST);
                    assertThat(again.retirement().retired().sum()).isEqualTo(LEFT);
                    assertThat(again.retirement().leftovers()).isEmpty();
                } else {
                    assertThat(through).isFalse();
                    assertThat(again.manifests(EAST)).hasSize(2);
                }
                assertThat(published(files, DIRECTORY)).hasSize(2);
            }
        }
    }

    @Test
    void generationsAreKeptAsRangesWhateverTheirOrder() throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 200; i++) {
            RetiredIncarnations retired = RetiredIncarnations.NONE;
            TreeSet<Integer> in = new TreeSet<>();
            for (int n = 0; n < 30; n++) {
                int generation = 1 + random.nextInt(40);
                if (in.add(generation)) {
                    retired = retired.with(new Incarnation(3, generation), new Left(1, 1, 2, 0, n));
                }
            }
            retired = RetiredIncarnations.decode(retired.encode());
            int runs = 0;
            for (int generation = 1; generation <= 41; generation++) {
                assertThat(retired.contains(new Incarnation(3, generation)))
                        .isEqualTo(in.contains(generation));
                assertThat(retired.contains(new Incarnation(4, generation))).isFalse();
                runs += in.contains(generation) && !in.contains(generation - 1) ? 1 : 0;
            }
            assertThat(retired.size()).isEqualTo(runs);
            assertThat(retired.highest()).containsOnly(Map.entry(3, in.last()));
            assertThat(retired.sum().events()).isEqualTo(2L * in.size());
            assertThat(retired.sum().incarnations()).isEqualTo(in.size());
        }
    }
}
