package photon.registry.client;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.registry.api.CommitOutcome;
import photon.registry.api.CommitOutcomes;

/** Outcomes as bytes. */
final class PackedOutcomes implements CommitOutcomes {
    private final byte[] codes;
    private final byte @Nullable [] holders;

    /**
     * @param codes of {@link Outcomes}; not copied
     * @param holders as many tokens as codes; those of ids that are not taken mean nothing
     */
    PackedOutcomes(byte[] codes, byte @Nullable [] holders) {
        this.codes = codes;
        this.holders = holders;
    }

    /** The same outcome for so many ids. */
    static PackedOutcomes all(int ids, byte code) {
        byte[] codes = new byte[ids];
        Arrays.fill(codes, code);
        return new PackedOutcomes(codes, null);
    }

    @Override
    public int size() {
        return codes.length;
    }

    @Override
    public boolean isAccepted(int i) {
        return Outcomes.isAccepted(codes[i]);
    }

    @Override
    public CommitOutcome get(int i) {
        if (!Outcomes.isTaken(codes[i])) {
            return Outcomes.of(codes[i], null);
        }
        ByteBuffer packed = ByteBuffer.wrap(Objects.requireNonNull(holders));
        return Outcomes.of(codes[i], Outcomes.token(packed, i * CommitToken.BYTES));
    }

    @Override
    public int accepted() {
        int count = 0;
        for (byte code : codes) {
            count += Outcomes.isAccepted(code) ? 1 : 0;
        }
        return count;
    }

    @Override
    public int unknown() {
        int count = 0;
        for (byte code : codes) {
            count += code == Outcomes.UNKNOWN ? 1 : 0;
        }
        return count;
    }

    @Override
    public int notSubmitted() {
        int count = 0;
        for (byte code : codes) {
            count += Outcomes.isNotSubmitted(code) ? 1 : 0;
        }
        return count;
    }
}
