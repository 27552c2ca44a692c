package photon.joiner.service;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import photon.core.id.CommitToken;
import photon.core.rpc.Handler;
import photon.joiner.incarnation.Incarnations;
import photon.joiner.rules.TokenState;
import photon.proto.v1.InquireTokensRequest;
import photon.proto.v1.InquireTokensResponse;
import photon.proto.v1.InquireTokensResponse.Known;

/**
 * Tells the verification of live incarnations what this joiner knows of tokens of its own
 * (docs/protocol.md section 6).
 */
public final class TokenInquiry implements Handler<InquireTokensRequest, InquireTokensResponse> {
    private final Incarnations incarnations;

    public TokenInquiry(Incarnations incarnations) {
        this.incarnations = incarnations;
    }

    /** Answers nothing, which cannot be mistaken for an answer, if the request is malformed. */
    @Override
    public void handle(InquireTokensRequest request, Consumer<InquireTokensResponse> respond) {
        InquireTokensResponse.Builder response = InquireTokensResponse.newBuilder();
        ByteBuffer tokens = request.getTokens().asReadOnlyByteBuffer();
        if (tokens.remaining() % CommitToken.BYTES == 0) {
            while (tokens.hasRemaining()) {
                int slot = tokens.getInt();
                int generation = tokens.getInt();
                response.addKnown(known(slot, generation, tokens.getLong()));
            }
        }
        respond.accept(response.build());
    }

    private Known known(int slot, int generation, long sequence) {
        TokenState state = incarnations.stateOf(slot, generation, sequence);
        return switch (state) {
            case IN_FLIGHT, ACCEPTED -> Known.IN_FLIGHT;
            case FLUSHED -> Known.FLUSHED;
            case SETTLED, UNKNOWN -> Known.NOT_HERE;
        };
    }
}
