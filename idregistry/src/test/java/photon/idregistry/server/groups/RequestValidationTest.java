package photon.idregistry.server.groups;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.id.EventId;
import photon.core.id.Packed;

class RequestValidationTest {
    private static final ByteString ID = Packed.ids(List.of(new EventId(7, 1, 2, 3)));

    /** An id of before 1970, which none is. */
    private static final ByteString NO_ID =
            ByteString.copyFrom(new byte[] {-1}).concat(ID.substring(1));

    @Test
    void idsOfBefore1970AndPartsOfIdsAreRefused() {
        assertThat(RequestValidation.wholeIds(ID.concat(ID))).isTrue();
        assertThat(RequestValidation.wholeIds(ID.concat(NO_ID))).isFalse();
        assertThat(RequestValidation.wholeIds(ID.concat(ID.substring(1)))).isFalse();
    }

    @Test
    void aPartOfALargerMessageIsJudgedByItself() {
        ByteString message = ByteString.copyFrom(NO_ID.concat(ID).concat(NO_ID).toByteArray());
        assertThat(RequestValidation.wholeIds(message.substring(EventId.BYTES, 2 * EventId.BYTES)))
                .isTrue();
        assertThat(RequestValidation.wholeIds(message.substring(EventId.BYTES))).isFalse();
    }
}
