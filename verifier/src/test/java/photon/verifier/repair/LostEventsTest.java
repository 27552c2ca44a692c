package photon.verifier.repair;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import photon.core.event.LogEvent;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.proto.v1.RepairRow;

class LostEventsTest {
    private static final EventId ID = new EventId(5, 6, 7, 8);
    private static final CommitToken TOKEN = new CommitToken(1, 1, 1).asUnmatched();
    private static final CommitToken UPGRADE = new CommitToken(1, 1, 2);

    private final LostEvents lost = new LostEvents();

    private static LogEvent event(EventId id) {
        ByteString key = ByteString.copyFromUtf8("k");
        return new LogEvent(id, key, "e", key, "p", ByteString.EMPTY);
    }

    private static CommitToken token(RepairRow row) {
        return CommitToken.read(row.getLostToken().asReadOnlyByteBuffer());
    }

    @Test
    void anEventIsFoundOnce() {
        lost.add(ID, TOKEN);
        assertThat(lost.find(event(new EventId(5, 6, 7, 9)))).isEmpty();
        assertThat(lost.find(event(ID))).singleElement().returns(TOKEN, LostEventsTest::token);
        assertThat(lost.find(event(ID))).isEmpty();
        assertThat(lost.isEmpty()).isTrue();
    }

    /** Only the event stands in the logs, so the row is its own, with the upgrade's lost token. */
    @Test
    void anUpgradeIsFoundByItsEvent() {
        lost.add(ID.upgrade(), UPGRADE);
        assertThat(lost.oldestMicros()).isEqualTo(5);
        assertThat(lost.find(event(new EventId(5, 6, 7, 9)))).isEmpty();
        assertThat(lost.find(event(ID)))
                .singleElement()
                .returns(UPGRADE, LostEventsTest::token)
                .returns(ID, row -> EventId.read(row.getEvent().getId()));
        assertThat(lost.isEmpty()).isTrue();
    }

    @Test
    void bothMayBeLost() {
        lost.add(ID.upgrade(), UPGRADE);
        lost.add(ID, TOKEN);
        assertThat(lost.find(event(ID)))
                .extracting(LostEventsTest::token)
                .containsExactly(TOKEN, UPGRADE);
        lost.add(ID.upgrade(), UPGRADE);
        lost.clear();
        assertThat(lost.find(event(ID))).isEmpty();
    }
}
