package photon.idregistry.shard;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Packed;
import photon.proto.v1.CancelOutcome;
import photon.proto.v1.Outcome;
import photon.proto.v1.RemoveOutcome;
import photon.registry.api.RegistryClient.Shard;
import photon.registry.api.ShardMap;

/** Plays entries to a shard, one a line, and compares what it answers. */
final class ShardTranscript {
    /** An even hash goes to shard 0, an odd one to shard 1: {@code other} ids are those of 1. */
    static final ShardMap MAP = ShardMap.initial(2);

    final ShardState shard;
    int cancelledMax = 2;
    private long index;

    ShardTranscript() {
        this(new ShardState());
    }

    ShardTranscript(ShardState shard) {
        this.shard = shard;
        this.index = shard.lastIndex();
    }

    long nextIndex() {
        return ++index;
    }

    byte[] apply(byte[] entry) {
        return shard.apply(nextIndex(), ByteBuffer.wrap(entry));
    }

    void transcript(String lines) {
        List<String> actual = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (String line : lines.lines().toList()) {
            String[] halves = line.replaceAll("#.*", "").split("->", -1);
            String command = halves[0].strip().replaceAll(" +", " ");
            expected.add(command + " -> " + halves[1].strip());
            actual.add(command + " -> " + answer(command.split(" ", -1)));
        }
        assertThat(String.join("\n", actual)).isEqualTo(String.join("\n", expected));
    }

    private String answer(String[] words) {
        switch (words[0]) {
            case "install":
                byte[] install = ShardEntries.install(MAP, new Shard(1, 0), Map.of());
                return ShardResults.installed(apply(install)) ? "installed" : "refused";
            case "fence":
                byte[] fence =
                        ShardEntries.fence(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                return "at " + ShardResults.fence(apply(fence));
            case "prepare":
                byte[] prepare =
                        ShardEntries.prepare(
                                Long.parseLong(words[1]),
                                Long.parseLong(words[2]),
                                Long.parseLong(words[3]));
                return String.valueOf(ShardResults.prepare(apply(prepare)).verdict())
                        .toLowerCase(Locale.ROOT);
            case "abort":
                apply(ShardEntries.abort(Long.parseLong(words[1]), Long.parseLong(words[2])));
                return "aborted";
            case "boundary":
                byte[] boundary = ShardEntries.advanceBoundary(Long.parseLong(words[1]));
                return "" + ShardResults.boundary(apply(boundary));
            default:
                ByteString ids = Packed.ids(List.of(id(words[1])));
                ByteString tokens = Packed.tokens(List.of(token(words[2])));
                return switch (words[0]) {
                    case "commit" -> commit(ids, tokens);
                    case "cancel" -> cancel(ids, tokens);
                    default -> remove(ids, tokens);
                };
        }
    }

    private String commit(ByteString ids, ByteString tokens) {
        ShardResults.Committed result =
                ShardResults.commit(apply(ShardEntries.commit(ids, tokens)));
        Outcome outcome = Outcome.forNumber(result.outcomes().byteAt(0));
        String by = "";
        if (outcome == Outcome.TAKEN) {
            CommitToken holder = Packed.tokens(result.holders()).get(0);
            by = holder.equals(CommitToken.JOIN_UNMATCHED) ? ", join unmatched" : " by " + holder;
        }
        return String.valueOf(outcome).toLowerCase(Locale.ROOT) + by;
    }

    private String cancel(ByteString ids, ByteString tokens) {
        byte outcome = apply(ShardEntries.cancel(cancelledMax, ids, tokens))[0];
        return String.valueOf(CancelOutcome.forNumber(outcome)).toLowerCase(Locale.ROOT);
    }

    private String remove(ByteString ids, ByteString tokens) {
        byte outcome = apply(ShardEntries.remove(ids, tokens))[0];
        return String.valueOf(RemoveOutcome.forNumber(outcome)).toLowerCase(Locale.ROOT);
    }

    /** {@code mine@15} or {@code other@15}: at that microsecond, of shard 0 or 1. */
    static EventId id(String text) {
        String[] parts = text.split("@", -1);
        int wanted = parts[0].equals("mine") ? 0 : 1;
        for (long low = 0; ; low++) {
            EventId id = new EventId(Long.parseLong(parts[1]), 1, low, 5);
            if (MAP.owner(id).number() == wanted) {
                return id;
            }
        }
    }

    /** As a token writes itself: {@code 1-2-3}, or {@code 1-2-3-unmatched}. */
    static CommitToken token(String text) {
        String[] parts = text.split("-", -1);
        CommitToken token =
                new CommitToken(
                        Integer.parseInt(parts[0]),
                        Integer.parseInt(parts[1]),
                        Long.parseLong(parts[2]));
        return parts.length == 3 ? token : token.asUnmatched();
    }
}
