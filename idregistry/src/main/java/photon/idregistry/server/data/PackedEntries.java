package photon.idregistry.server.data;

import com.google.protobuf.ByteString;
import java.util.function.Consumer;
import java.util.function.Function;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.idregistry.server.groups.DirectEntries;
import photon.proto.v1.Progress;

/**
 * Puts one request's ids and tokens into as many entries as it takes, one after the other. If one
 * is refused the whole request is: only for what may be carried out twice.
 *
 * @param idsMax of one entry
 */
record PackedEntries(ByteString ids, ByteString tokens, int idsMax) {

    /**
     * One of the two is told, once.
     *
     * @param entry of some ids and their tokens
     * @param outcomesOf an entry's result: one outcome a byte
     * @param decided told the outcomes of all
     * @param refused as in {@link DirectEntries#submit}
     */
    void submit(
            DirectEntries entries,
            MakesEntry entry,
            Function<byte[], ByteString> outcomesOf,
            Consumer<ByteString> decided,
            Consumer<Progress> refused) {
        submit(ByteString.EMPTY, entries, entry, outcomesOf, decided, refused);
    }

    /** Makes an entry. */
    @FunctionalInterface
    interface MakesEntry {
        byte[] of(ByteString ids, ByteString tokens);
    }

    private void submit(
            ByteString outcomes,
            DirectEntries entries,
            MakesEntry entry,
            Function<byte[], ByteString> outcomesOf,
            Consumer<ByteString> decided,
            Consumer<Progress> refused) {
        int count = ids.size() / EventId.BYTES;
        int from = outcomes.size();
        if (from == count) {
            decided.accept(outcomes);
            return;
        }
        int to = Math.min(count, from + idsMax);
        entries.submit(
                entry.of(
                        ids.substring(from * EventId.BYTES, to * EventId.BYTES),
                        tokens.substring(from * CommitToken.BYTES, to * CommitToken.BYTES)),
                result ->
                        submit(
                                outcomes.concat(outcomesOf.apply(result)),
                                entries,
                                entry,
                                outcomesOf,
                                decided,
                                refused),
                refused);
    }
}
