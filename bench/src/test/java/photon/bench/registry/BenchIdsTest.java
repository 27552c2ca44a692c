package photon.bench.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.CommitBatch;
import photon.registry.api.IdBatch;

class BenchIdsTest {
    private final BenchIds ids = new BenchIds(new Incarnation(4, 2));

    @Test
    void aNumberIsAlwaysTheSameIdAndNoTwoShareOne() {
        Set<EventId> seen = new HashSet<>();
        for (long block = 0; block < 300; block++) {
            // Blocks of one time, as callers take them in one microsecond.
            long first = ids.takeBlock(1_000_000 + block / 10);
            for (long number = first; number < first + BenchIds.BLOCK; number++) {
                assertThat(seen.add(ids.id(number))).isTrue();
                assertThat(seen.add(ids.absent(number))).isTrue();
                assertThat(ids.id(number).micros())
                        .isEqualTo(1_000_000 + block / 10 + number - first);
            }
        }
        assertThat(ids.end()).isEqualTo(300 * BenchIds.BLOCK);
        assertThat(seen).contains(ids.id(17), ids.absent(17));
    }

    @Test
    void timesAreKeptForManyBlocks() {
        int blocks = 200_000;
        for (int block = 0; block < blocks; block++) {
            ids.takeBlock(block * 1_000L);
        }
        assertThat(ids.id(0).micros()).isZero();
        assertThat(ids.id(65_536L * BenchIds.BLOCK + 3).micros()).isEqualTo(65_536_003);
        assertThat(ids.id((blocks - 1L) * BenchIds.BLOCK).micros())
                .isEqualTo((blocks - 1) * 1_000L);
    }

    @Test
    void packedIsTheSame() {
        long number = ids.takeBlock(77_000_000) + 5;
        CommitBatch.Builder commits = CommitBatch.builder(2);
        ids.add(2 * number, commits);
        ids.add(2 * number + 1, commits);
        CommitBatch batch = commits.build();
        assertThat(batch.ids().get(0)).isEqualTo(ids.id(number));
        assertThat(batch.ids().get(1)).isEqualTo(ids.id(number));
        assertThat(batch.token(0)).isEqualTo(ids.token(2 * number));
        assertThat(batch.token(1)).isEqualTo(ids.token(2 * number + 1));
        IdBatch.Builder asked = IdBatch.builder(2);
        ids.addId(number, true, asked);
        ids.addId(number, false, asked);
        IdBatch questions = asked.build();
        assertThat(questions.get(0)).isEqualTo(ids.id(number));
        assertThat(questions.get(1)).isEqualTo(ids.absent(number));
    }

    @Test
    void bothTokensOfANumberMayHoldItAndNoOther() {
        long number = ids.takeBlock(0) + 9;
        assertThat(ids.mayHold(ids.token(2 * number), number)).isTrue();
        assertThat(ids.mayHold(ids.token(2 * number + 1), number)).isTrue();
        assertThat(ids.mayHold(ids.token(2 * number + 2), number)).isFalse();
        assertThat(ids.mayHold(new CommitToken(4, 3, 2 * number), number)).isFalse();
    }

    @Test
    void soManyAreContestedAndOnlyNewOnes() {
        for (int i = 0; i < 100; i++) {
            ids.takeBlock(i);
        }
        long before = ids.end();
        ids.contest(30);
        long contested = 0;
        for (long number = 0; number < before; number++) {
            assertThat(ids.isContested(number)).isFalse();
        }
        for (long number = before; number < before + 100_000; number++) {
            contested += ids.isContested(number) ? 1 : 0;
        }
        assertThat(contested).isBetween(29_000L, 31_000L);
    }

    @Test
    void whatIsLeftOfABlockIsNotUsed() {
        long first = ids.takeBlock(0);
        long second = ids.takeBlock(1);
        ids.leave(first + 10);
        assertThat(ids.isUsed(first + 9)).isTrue();
        assertThat(ids.isUsed(first + 10)).isFalse();
        assertThat(ids.isUsed(first + BenchIds.BLOCK - 1)).isFalse();
        assertThat(ids.isUsed(second)).isTrue();
    }
}
