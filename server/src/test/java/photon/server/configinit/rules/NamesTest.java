package photon.server.configinit.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names decide between fields that fit alike. */
class NamesTest {
    @Test
    void aFilesStem() {
        assertThat(Names.stem("clicks-2026-01.jsonl.gz")).isEqualTo("clicks");
        assertThat(Names.stem("ad_clicks.csv")).isEqualTo("ad-clicks");
        assertThat(Names.stem("part-00001-of-00500.csv.gz")).isEqualTo("part-of");
        assertThat(Names.stem("2026.log")).isEmpty();
    }

    @Test
    void whatNamesWhat() {
        assertThat(Names.likeness("ad.impression", "impression", "a")).isEqualTo(3);
        assertThat(Names.likeness("impressionId", "impression_id", "a")).isEqualTo(3);
        assertThat(Names.likeness("user_id", "id", "users")).isEqualTo(2);
        assertThat(Names.likeness("last_impression", "impression", "a")).isEqualTo(1);
        assertThat(Names.likeness("id", "id", "a")).as("an id of what?").isZero();
        assertThat(Names.likeness("column3", "column3", "a")).isZero();
        assertThat(Names.likeness("click_id", "impression_id", "impressions")).isZero();
    }

    @Test
    void anEventsOwnIdAndTime() {
        assertThat(Names.ofOwnId("click_id", "clicks")).isEqualTo(3);
        assertThat(Names.ofOwnId("uuid", "clicks")).isEqualTo(2);
        assertThat(Names.ofOwnId("session_id", "clicks")).isEqualTo(1);
        assertThat(Names.ofOwnId("url", "clicks")).isZero();
        assertThat(Names.ofTime("event_time", "clicks")).isEqualTo(2);
        assertThat(Names.ofTime("at_ms", "clicks")).isEqualTo(2);
        assertThat(Names.ofTime("click_time", "clicks")).isEqualTo(3);
        assertThat(Names.ofTime("clickTime", "clicks")).isEqualTo(3);
        assertThat(Names.ofTime("created_at", "clicks")).isEqualTo(1);
        assertThat(Names.ofTime("format", "clicks")).isZero();
        assertThat(Names.isOfId("order_number")).isTrue();
        assertThat(Names.isOfId("time")).isFalse();
    }
}
