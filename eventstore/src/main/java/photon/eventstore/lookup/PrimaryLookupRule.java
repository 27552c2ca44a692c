package photon.eventstore.lookup;

import com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import photon.core.share.StoreShare;
import photon.proto.v1.Event;
import photon.proto.v1.PrimaryLookupResponse.Result;
import photon.proto.v1.PrimaryLookupResponse.Status;

/** What a lookup's outcome means to whoever asked (docs/protocol.md sections 2 and 7). */
final class PrimaryLookupRule {
    private static final Result NOT_YET = Result.newBuilder().setStatus(Status.NOT_YET).build();

    private static final Result ELSEWHERE = NOT_YET.toBuilder().setElsewhere(true).build();

    private PrimaryLookupRule() {}

    /**
     * Only an event with exactly the whole key joins, however it was found. A miss is never final:
     * of a user's own id nobody knows which log will bring it, and for native ids the index does
     * not keep yet how far each process's log was read, so ABSENT is not answered. What is found
     * joins though it is not of the share: it was indexed when that was larger.
     */
    static Result judge(ByteString key, @Nullable Event found, StoreShare share) {
        if (found == null || !found.getKey().equals(key)) {
            return share.holds(key) ? NOT_YET : ELSEWHERE;
        }
        return Result.newBuilder().setStatus(Status.FOUND).setPrimary(found).build();
    }

    /** The answer is full: as if the log had not been read that far, so it is asked again. */
    static Result noRoom() {
        return NOT_YET;
    }
}
