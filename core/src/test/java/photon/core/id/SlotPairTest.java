package photon.core.id;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlotPairTest {
    @Test
    void eitherSlotNamesThePairAndTheOther() {
        SlotPair pair = SlotPair.of("east/joiner-0");
        assertThat(pair.first()).isEqualTo("east/joiner-0");
        assertThat(pair.second()).isEqualTo("east/joiner-0~b");
        assertThat(SlotPair.of(pair.second())).isEqualTo(pair);
        assertThat(pair.other(pair.first())).isEqualTo(pair.second());
        assertThat(pair.other(pair.second())).isEqualTo(pair.first());
    }

    @Test
    void anotherJoinersSlotsAreNotThePairs() {
        SlotPair pair = SlotPair.of("east/joiner-0");
        assertThat(pair.has("east/joiner-0")).isTrue();
        assertThat(pair.has("east/joiner-0~b")).isTrue();
        assertThat(pair.has("east/joiner-01")).isFalse();
        assertThat(pair.has("east/joiner-01~b")).isFalse();
    }
}
