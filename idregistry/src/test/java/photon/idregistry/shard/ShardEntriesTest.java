package photon.idregistry.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;

class ShardEntriesTest {
    private static final ByteString ID = Packed.ids(List.of(new EventId(7, 1, 2, 3)));
    private static final ByteString TOKEN = Packed.tokens(List.of(new CommitToken(1, 1, 9)));

    /** A part of a larger message, as it comes from the network. */
    private static ByteString behind(int before, ByteString part) {
        byte[] message = new byte[before + part.size() + 5];
        java.util.Arrays.fill(message, (byte) 0xFF);
        part.copyTo(message, before);
        return ByteString.copyFrom(message).substring(before, before + part.size());
    }

    @Test
    void aPartOfALargerMessageIsJudgedByItself() {
        assertThat(ShardEntries.wellFormed(behind(28, ID), behind(16, TOKEN))).isTrue();
        ByteString kind = behind(16, Packed.tokens(List.of(CommitToken.JOIN_UNMATCHED)));
        assertThat(ShardEntries.wellFormed(behind(28, ID), kind)).isFalse();
        assertThat(ShardEntries.wellFormedRows(behind(28, ID), kind)).isTrue();
        assertThat(ShardEntries.anyUnmatched(kind)).isTrue();
        assertThat(ShardEntries.anyUnmatched(behind(16, TOKEN))).isFalse();
        ByteString negative = ByteString.copyFrom(new byte[] {-1}).concat(ID.substring(1));
        assertThat(ShardEntries.wellFormed(negative, TOKEN)).isFalse();
    }
}
