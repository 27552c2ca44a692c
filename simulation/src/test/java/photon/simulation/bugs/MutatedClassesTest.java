package photon.simulation.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardResults;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.Outcome;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

class MutatedClassesTest {
    private static final String SHARD =
            "idregistry/src/main/java/photon/idregistry/shard/ShardState.java";
    private static final PlantedBug BUG =
            PlantedBug.of("any-token-will-do", 3, "TAKEN", Check.I1)
                    .edit(SHARD, "else if (!row.isHolder()) {", "else if (false) {");

    /** Commits one id twice, with two tokens: tells the second outcome. */
    public static final class TwoTokens implements LongFunction<String> {
        @Override
        public String apply(long micros) {
            ShardState shard = new ShardState();
            ShardMap map = ShardMap.initial(1);
            shard.apply(1, wrap(ShardEntries.install(map, new Shard(1, 0), Map.of())));
            commit(shard, 2, micros);
            return Outcome.forNumber(commit(shard, 3, micros)).name();
        }

        private static byte commit(ShardState shard, long index, long micros) {
            ByteString ids = Packed.ids(List.of(new EventId(micros, 1, 2, 3)));
            ByteString tokens = Packed.tokens(List.of(new CommitToken(1, 1, index)));
            byte[] result = shard.apply(index, wrap(ShardEntries.commit(ids, tokens)));
            return ShardResults.commit(result).outcomes().byteAt(0);
        }

        private static ByteBuffer wrap(byte[] entry) {
            return ByteBuffer.wrap(entry);
        }
    }

    @Test
    void runsTheCodeWithTheBugBesideTheCodeWithoutIt() {
        MutatedClasses classes =
                MutatedClasses.with(BUG, Sources.ofThisCheckout(), new InMemoryCompiler());
        LongFunction<String> mutated = classes.world(TwoTokens.class);
        LongFunction<String> sound = new TwoTokens();
        assertThat(sound.apply(7)).isEqualTo("TAKEN");
        assertThat(mutated.apply(7)).isEqualTo("ACCEPTED");
        assertThat(sound.apply(8)).isEqualTo("TAKEN");
    }

    @Test
    void sharesWhatCannotKnowTheEditedClass() throws ClassNotFoundException {
        MutatedClasses classes =
                MutatedClasses.with(BUG, Sources.ofThisCheckout(), new InMemoryCompiler());
        for (String shared :
                List.of(
                        "photon.core.id.EventId",
                        "photon.proto.v1.Outcome",
                        "photon.dispatcher.flow.Flow",
                        "photon.simulation.kernel.Timeline")) {
            assertThat(classes.loadClass(shared)).isSameAs(Class.forName(shared));
        }
        for (String above :
                List.of("photon.idregistry.batch.CommitBatcher", MutatedClasses.ENTRY)) {
            assertThat(classes.loadClass(above)).isNotSameAs(Class.forName(above));
        }
    }

    @Test
    void saysThatARuleHasMoved() {
        PlantedBug gone = PlantedBug.of("gone", 3, "", Check.I1).edit(SHARD, "not there", "");
        PlantedBug vague = PlantedBug.of("vague", 3, "", Check.I1).edit(SHARD, "token", "");
        Sources sources = Sources.ofThisCheckout();
        assertThatThrownBy(() -> sources.edited(gone))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("has moved: update the bug");
        assertThatThrownBy(() -> sources.edited(vague))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("more than once");
    }

    @Test
    void saysThatABugDoesNotCompile() {
        PlantedBug broken =
                PlantedBug.of("broken", 3, "", Check.I1)
                        .edit(SHARD, "else if (!row.isHolder()) {", "else if (holder) {");
        assertThatThrownBy(
                        () ->
                                MutatedClasses.with(
                                        broken, Sources.ofThisCheckout(), new InMemoryCompiler()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("'broken' does not compile");
    }
}
