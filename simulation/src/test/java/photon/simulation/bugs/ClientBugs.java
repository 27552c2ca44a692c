package photon.simulation.bugs;

import static photon.simulation.bugs.Check.BUG;
import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;

import java.util.List;

/** Rules of whoever asks the registry, and of identity. */
final class ClientBugs {
    static final String COMMIT_QUEUE =
            "registry-client/src/main/java/photon/registry/client/ShardCommitQueue.java";

    private static final String CALL =
            "registry-client/src/main/java/photon/registry/client/CommitCall.java";

    /** The joiner settles it, and its dispatcher tries it again later, as never attempted. */
    static final String GIVE_UP =
            """
            for (Part p : batch) {
                for (int i = 0; i < p.count(); i++) {
                    p.answer(i, (byte) Outcome.ID_IN_FUTURE_VALUE, null, 0);
                }
            }
            pump();
            """;

    private static final String TOKENS = "batch.copyTokensTo(tokens, first, count);";
    private static final String PRIMARY = "eventstore/src/main/java/photon/eventstore/";

    private ClientBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "time-out-is-a-failure",
                                    3,
                                    "UNKNOWN is asked again until definite, never a failure",
                                    I2,
                                    I3)
                            .edit(
                                    COMMIT_QUEUE,
                                    "hunt.lost(asked); againUnsure(batch);",
                                    "hunt.lost(asked);" + GIVE_UP),
                    PlantedBug.of(
                                    "new-token-on-retry",
                                    1,
                                    "a token is kept until a definite answer, and reused to ask"
                                            + " again",
                                    I1,
                                    I2,
                                    I3,
                                    BUG)
                            .edit(
                                    CALL,
                                    TOKENS,
                                    """
                                    for (int i = first; i < first + count; i++) {
                                        CommitToken token = batch.token(i);
                                        new CommitToken(
                                                token.slot(),
                                                token.generation(),
                                                token.sequence() + (copySent ? 1_000_000_000L : 0L))
                                                .write(tokens);
                                    }
                                    """),
                    PlantedBug.of(
                                    "one-token-an-incarnation",
                                    1,
                                    "one token per attempt at one event",
                                    I1,
                                    I2)
                            .edit(
                                    CALL,
                                    TOKENS,
                                    """
                                    for (int i = first; i < first + count; i++) {
                                        CommitToken token = batch.token(i);
                                        new CommitToken(token.slot(), token.generation(), 1L)
                                                .write(tokens);
                                    }
                                    """),
                    PlantedBug.of(
                                    "user-ids-without-lengths",
                                    2,
                                    "fields of a user's id are encoded with their lengths",
                                    BUG)
                            .edit(
                                    "core/src/main/java/photon/core/id/UserKey.java",
                                    "encoded.putInt(text.length).put(text);",
                                    "encoded.put((byte) ':').put(text);"),
                    PlantedBug.of(
                                    "primary-by-a-part-of-its-id",
                                    2,
                                    "the event store compares the whole primary id",
                                    I1,
                                    I2,
                                    I3,
                                    BUG)
                            .edit(
                                    PRIMARY + "index/IndexKeys.java",
                                    "UserKey.ofEncoded(key.toByteArray())",
                                    "UserKey.ofEncoded(key.substring(0, 4).toByteArray())")
                            .edit(
                                    PRIMARY + "index/IndexKeys.java",
                                    "return place(EventId.read(event.getId()));",
                                    "return place(event.getKey());")
                            .edit(
                                    PRIMARY + "index/FileLogIndex.java",
                                    "found[i] = event.getKey().equals(wanted.get(i)) ? event : null;",
                                    "found[i] = event;")
                            .edit(
                                    PRIMARY + "lookup/PrimaryLookupRule.java",
                                    "if (found == null || !found.getKey().equals(key)) {",
                                    "if (found == null) {")
                            .edit(
                                    JoinerBugs.JOINER + "task/PrimaryLookups.java",
                                    "return primary.getKey().equals(attempt.event().getPrimaryKey()) &&",
                                    "return"));
}
