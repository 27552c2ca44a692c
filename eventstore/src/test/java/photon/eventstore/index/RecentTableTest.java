package photon.eventstore.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentTableTest {
    /** Places of few different first bits stand close together, also around the array's end. */
    @ParameterizedTest
    @ValueSource(longs = {0xFFFF_FFFF_FFFF_FFFFL, 0xFF80_0000_0000_0003L, 0x7FFF_FFFF_FFFF_FFFFL})
    void holdsTheLatestPositionOfEachPlaceAndSortsThem(long mask) {
        Random random = new Random(mask);
        RecentTable table = new RecentTable();
        Map<Place, Long> model = new HashMap<>();
        long top = mask == 0x7FFF_FFFF_FFFF_FFFFL ? 0x7FF0_0000_0000_0000L : 0;
        for (int i = 0; i < 5_000; i++) {
            Place place = new Place((random.nextLong() & mask) | top, random.nextInt(3));
            long position = 1L + random.nextInt(1_000);
            table.put(place.high(), place.low(), position);
            model.merge(place, position, Math::max);
        }
        assertThat(table.rows()).isEqualTo(model.size());
        model.forEach(
                (place, position) ->
                        assertThat(table.find(place.high(), place.low())).isEqualTo(position));
        assertThat(table.find(12_345, 99)).isZero();
        long[] sorted = table.sorted();
        assertThat(sorted).hasSize(3 * model.size());
        for (int at = 0; at < sorted.length; at += 3) {
            Place place = new Place(sorted[at], sorted[at + 1]);
            assertThat(sorted[at + 2]).isEqualTo(model.get(place));
            if (at > 0) {
                assertThat(Place.compare(sorted[at - 3], sorted[at - 2], place.high(), place.low()))
                        .isNegative();
            }
        }
    }
}
