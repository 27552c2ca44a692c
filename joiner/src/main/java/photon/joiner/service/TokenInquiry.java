package photon.joiner.service;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import photon.core.id.CommitToken;
import photon.core.rpc.Handler;
import photon.joiner.incarnation.Incarnations;
import photon.joiner.rules.TokenState;
import photon.joiner.task.JoinTask;
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
        JoinTask line = incarnations.task();
        ByteBuffer tokens = request.getTokens().asReadOnlyByteBuffer();
        if (tokens.remaining() % CommitToken.BYTES == 0) {
            while (tokens.hasRemaining()) {
                int slot = tokens.getInt();
                int generation = tokens.getInt();
                response.addKnown(known(line, slot, generation, tokens.getLong()));
            }
        }
        respond.accept(response.build());
    }

    private static Known known(@Nullable JoinTask line, int slot, int generation, long sequence) {
        TokenState state =
                line == null
                        ? TokenState.UNKNOWN
                        : line.tokens().stateOf(slot, generation, sequence);
        return switch (state) {
            case IN_FLIGHT, ACCEPTED -> Known.IN_FLIGHT;
            case FLUSHED -> Known.FLUSHED;
            case SETTLED, UNKNOWN -> Known.NOT_HERE;
        };
    }
}
