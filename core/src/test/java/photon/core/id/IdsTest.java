package photon.core.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import photon.core.error.BugException;

class IdsTest {
    @Test
    void byteOrderIsTimeOrderIsOrderOfComparison() {
        Random random = new Random(7);
        List<EventId> ids = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            ids.add(
                    new EventId(
                            random.nextLong(Long.MAX_VALUE) >>> random.nextInt(60),
                            random.nextLong(),
                            random.nextLong() >> random.nextInt(64),
                            random.nextInt()));
        }
        List<EventId> byBytes = new ArrayList<>(ids);
        byBytes.sort((a, b) -> Arrays.compareUnsigned(a.toBytes(), b.toBytes()));
        Collections.sort(ids);
        assertThat(ids).isEqualTo(byBytes);
        for (int i = 1; i < ids.size(); i++) {
            assertThat(ids.get(i).micros()).isGreaterThanOrEqualTo(ids.get(i - 1).micros());
        }
    }

    @Test
    void packedFormsComeBack() {
        EventId id = new EventId(5, 6, 7, 8);
        CommitToken token = new CommitToken(1, 2, 3);
        assertThat(Packed.ids(Packed.ids(List.of(id, id)))).containsExactly(id, id);
        assertThat(Packed.tokens(Packed.tokens(List.of(token)))).containsExactly(token);
        assertThat(EventId.read(ByteBuffer.wrap(id.toBytes()))).isEqualTo(id);
        assertThatThrownBy(() -> Packed.ids(ByteString.copyFrom(new byte[29])))
                .isInstanceOf(BugException.class);
    }

    @Test
    void theKeyOfAnUpgradeIsOfTheSameTimeAndNoIdOfAnEvent() {
        EventId id = new EventId(5, 6, 7, 8);
        EventId key = id.upgrade();
        assertThat(key).isEqualTo(new EventId(5, 6, 7, 8).upgrade());
        assertThat(key.micros()).isEqualTo(5);
        assertThat(key.isUpgrade()).isTrue();
        assertThat(key.isNative()).isFalse();
        assertThat(id.isUpgrade()).isFalse();
        assertThat(key).isNotEqualTo(new EventId(5, 6, 7, 9).upgrade());
        assertThat(key.toString()).startsWith("5/upgrade/");
        // SHA-256 of the packed id, first 128 bits: computed with another implementation.
        assertThat(key)
                .isEqualTo(
                        new EventId(
                                5,
                                0x7E35A77348FE9262L,
                                0x57FF55642AF4BEA0L,
                                EventId.UPGRADE_PROCESS));
    }

    @Test
    void theKindOfATokenIsNoPartOfItsNumber() {
        CommitToken token = new CommitToken(1, 2, 3);
        CommitToken unmatched = token.asUnmatched();
        assertThat(token.isUnmatched()).isFalse();
        assertThat(unmatched.isUnmatched()).isTrue();
        assertThat(unmatched).isNotEqualTo(token);
        assertThat(unmatched.attempt()).isEqualTo(3);
        assertThat(unmatched.asUnmatched()).isEqualTo(unmatched);
        assertThat(unmatched).hasToString("1-2-3-unmatched");
        assertThat(CommitToken.parse("1-2-3-unmatched")).isEqualTo(unmatched);
        assertThat(CommitToken.parse("1-2-3")).isEqualTo(token);
        CommitToken upgrade = token.asUpgrade();
        assertThat(upgrade.isUpgrade()).isTrue();
        assertThat(upgrade.isUnmatched()).isFalse();
        assertThat(token.isUpgrade()).isFalse();
        assertThat(upgrade.attempt()).isEqualTo(3);
        assertThat(upgrade).hasToString("1-2-3-upgrade");
        assertThat(CommitToken.parse("1-2-3-upgrade")).isEqualTo(upgrade);
        assertThat(Packed.tokens(Packed.tokens(List.of(unmatched)))).containsExactly(unmatched);
        assertThat(CommitToken.JOIN_UNMATCHED.isUnmatched()).isTrue();
    }

    @Test
    void fieldsAreLengthPrefixedSoThatBordersCount() {
        assertThat(UserKey.of(List.of("x:y", "z")).encoded())
                .isNotEqualTo(UserKey.of(List.of("x", "y:z")).encoded());
        assertThat(UserKey.of(List.of("ab")).hash()).isEqualTo(UserKey.of(List.of("ab")).hash());
    }

    @Test
    void theHashOfAUserKeyIsTheDocumentedOne() {
        // SHA-256 of 00000002 "ab", first 128 bits: computed with another implementation.
        UserKey key = UserKey.of(List.of("ab"));
        EventId id = EventId.ofUser(5, key);
        assertThat("%016x%016x".formatted(id.serverHigh(), id.serverLow()))
                .isEqualTo(EXPECTED_HASH_OF_AB);
    }

    private static final String EXPECTED_HASH_OF_AB = "d2f295bb8c9d190af78252b52741eb32";

    @Test
    void theStableHashNeverChanges() {
        assertThat(new EventId(1, 2, 3, 4).stableHash()).isEqualTo(-2620600821669090107L);
    }

    @Test
    void anIncarnationIsNamedByItsNumbers() {
        assertThat(Incarnation.parse(new Incarnation(3, 17).toString()))
                .isEqualTo(new Incarnation(3, 17));
        assertThatThrownBy(() -> new Incarnation(0, 1)).isInstanceOf(BugException.class);
    }

    @Test
    void aNegativeTimestampIsRefused() {
        assertThatThrownBy(() -> new EventId(-1, 0, 0, 0)).isInstanceOf(BugException.class);
    }
}
