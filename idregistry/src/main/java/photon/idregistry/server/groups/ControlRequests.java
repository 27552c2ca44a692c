package photon.idregistry.server.groups;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.util.function.Consumer;
import photon.core.error.BugException;
import photon.proto.v1.Progress;

/** Requests that are one entry of the control group each. */
public final class ControlRequests {
    /** Bytes of an entry: names, addresses and fingerprints are short. */
    private static final int ENTRY_MAX = 64 << 10;

    private ControlRequests() {}

    /**
     * Submits an entry once, unless it is too large to be one that our clients make. One of the two
     * is told, once.
     *
     * @param request its kind, for people
     * @param refused hears no progress at all of one that is too large, else as {@link
     *     DirectEntries#submit} says
     */
    public static <R extends Message> void submit(
            Groups groups,
            String request,
            byte[] entry,
            Parser<R> parser,
            Consumer<R> applied,
            Consumer<Progress> refused) {
        if (entry.length > ENTRY_MAX) {
            RequestValidation.malformed(request);
            refused.accept(Progress.PROGRESS_UNSPECIFIED);
            return;
        }
        groups.controlEntries()
                .submit(entry, result -> applied.accept(parse(parser, result)), refused);
    }

    /**
     * The control group's result of an entry.
     *
     * @throws BugException if it is none
     */
    public static <R extends Message> R parse(Parser<R> parser, byte[] result) {
        try {
            return parser.parseFrom(result);
        } catch (InvalidProtocolBufferException e) {
            throw new BugException("Expected a readable result of the control group", e);
        }
    }
}
