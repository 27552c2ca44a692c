package photon.simulation.network;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.TextFormat;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.proto.v1.AddRepairRowsRequest;
import photon.proto.v1.CancelOutcome;
import photon.proto.v1.CancelRequest;
import photon.proto.v1.CancelResponse;
import photon.proto.v1.CommitRequest;
import photon.proto.v1.CommitResponse;
import photon.proto.v1.JoinItem;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.JoinResult;
import photon.proto.v1.LookupRequest;
import photon.proto.v1.LookupResponse;
import photon.proto.v1.Outcome;
import photon.proto.v1.Progress;
import photon.proto.v1.RemoveOutcome;
import photon.proto.v1.RemoveRequest;
import photon.proto.v1.RemoveResponse;
import photon.proto.v1.ScanResponse;
import photon.proto.v1.ShardRef;

/** Messages in words, for traces: an event is {@code #} and the first digits of its id's hash. */
public final class MessageText {
    private static final int LONGEST = 400;

    private MessageText() {}

    /** The name of an event in traces and stories. */
    public static String of(EventId id) {
        return String.format(Locale.ROOT, "#%08x", id.serverHigh() >>> 32);
    }

    private static String of(CommitToken token) {
        return "token " + token;
    }

    private static String of(ShardRef shard) {
        return "shard " + shard.getEpoch() + "/" + shard.getShard();
    }

    /** One line. */
    public static String of(Object message) {
        if (message instanceof JoinRequest join) {
            return join.getItemsList().stream()
                    .map(MessageText::item)
                    .collect(Collectors.joining(", "));
        }
        if (message instanceof JoinResponse joined) {
            return joined.getResultsList().stream()
                    .map(MessageText::result)
                    .collect(Collectors.joining(", "));
        }
        if (message instanceof CommitRequest commit) {
            return of(commit.getShard()) + ": " + pairs(commit.getIds(), commit.getTokens());
        }
        if (message instanceof CommitResponse answer) {
            return answer.getProgress() == Progress.DECIDED
                    ? outcomes(answer)
                    : answer.getProgress().toString();
        }
        if (message instanceof LookupRequest lookup) {
            return of(lookup.getShard()) + ": " + names(lookup.getIds());
        }
        if (message instanceof LookupResponse found) {
            return found.getProgress()
                    + " "
                    + numbers(found.getFound())
                    + " held by "
                    + Packed.tokens(found.getHolders());
        }
        if (message instanceof ScanResponse scan) {
            return scan.getProgress() + " " + pairs(scan.getIds(), scan.getTokens());
        }
        if (message instanceof AddRepairRowsRequest rows) {
            return rows.getRowsList().stream()
                    .map(
                            row ->
                                    of(EventId.read(buffer(row.getEvent().getId())))
                                            + " lost by "
                                            + of(CommitToken.read(buffer(row.getLostToken()))))
                    .collect(Collectors.joining(", "));
        }
        if (message instanceof MessageOrBuilder other) {
            if (isEnding(other)) {
                return ending(other);
            }
            String text = TextFormat.printer().emittingSingleLine(true).printToString(other);
            return text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        }
        return String.valueOf(message);
    }

    private static boolean isEnding(Object message) {
        return message instanceof RemoveRequest
                || message instanceof RemoveResponse
                || message instanceof CancelRequest
                || message instanceof CancelResponse;
    }

    /** What ends a token. */
    private static String ending(Object message) {
        if (message instanceof RemoveRequest remove) {
            return of(remove.getShard()) + ": " + pairs(remove.getIds(), remove.getTokens());
        }
        if (message instanceof RemoveResponse removed) {
            return removed.getProgress()
                    + " "
                    + numbers(removed.getOutcomes()).stream()
                            .map(RemoveOutcome::forNumber)
                            .toList();
        }
        if (message instanceof CancelRequest cancel) {
            return of(cancel.getShard()) + ": " + pairs(cancel.getIds(), cancel.getTokens());
        }
        if (message instanceof CancelResponse cancelled) {
            return cancelled.getProgress()
                    + " "
                    + numbers(cancelled.getOutcomes()).stream()
                            .map(CancelOutcome::forNumber)
                            .toList();
        }
        return String.valueOf(message);
    }

    private static ByteBuffer buffer(ByteString bytes) {
        return bytes.asReadOnlyByteBuffer();
    }

    private static String item(JoinItem item) {
        String lost =
                item.getLostToken().isEmpty()
                        ? ""
                        : " lost by " + of(CommitToken.read(buffer(item.getLostToken())));
        return item.getNumber() + "=" + of(EventId.read(buffer(item.getEvent().getId()))) + lost;
    }

    private static String result(JoinResult result) {
        String reason = result.getReason().isEmpty() ? "" : " (" + result.getReason() + ")";
        return result.getNumber() + "=" + result.getStatus() + reason;
    }

    private static String names(ByteString ids) {
        return Packed.ids(ids).stream().map(MessageText::of).collect(Collectors.joining(" "));
    }

    private static String pairs(ByteString ids, ByteString tokens) {
        Iterator<CommitToken> token = Packed.tokens(tokens).iterator();
        return Packed.ids(ids).stream()
                .map(id -> of(id) + " by " + of(token.next()))
                .collect(Collectors.joining(", "));
    }

    private static String outcomes(CommitResponse answer) {
        Iterator<CommitToken> holders = Packed.tokens(answer.getHolders()).iterator();
        return numbers(answer.getOutcomes()).stream()
                .map(Outcome::forNumber)
                .map(
                        outcome ->
                                outcome == Outcome.TAKEN
                                        ? "TAKEN by " + of(holders.next())
                                        : String.valueOf(outcome))
                .collect(Collectors.joining(", "));
    }

    private static List<Integer> numbers(ByteString bytes) {
        return bytes.toByteArray().length == 0
                ? List.of()
                : java.util.stream.IntStream.range(0, bytes.size())
                        .mapToObj(i -> (int) bytes.byteAt(i))
                        .toList();
    }
}
