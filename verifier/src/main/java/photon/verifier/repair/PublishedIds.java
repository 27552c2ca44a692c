package photon.verifier.repair;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.registry.api.RegistryClient.Commit;
import photon.storage.output.Manifest;
import photon.verifier.source.IdIndex;
import photon.verifier.source.LongColumn;

/**
 * What one incarnation has published, as its manifests say, and so which of the ids that its tokens
 * hold were lost (docs/protocol.md section 6). About 45 bytes an event that the incarnation
 * committed since it began: that bounds the memory of a repair.
 */
final class PublishedIds {
    private final Incarnation incarnation;
    private final IdIndex ids = new IdIndex();
    private final LongColumn sequences = new LongColumn();
    private final Set<String> files = new HashSet<>();

    PublishedIds(Incarnation incarnation) {
        this.incarnation = incarnation;
    }

    /**
     * @return what is wrong with the manifest; empty: all is well
     */
    Optional<String> add(Manifest manifest) {
        if (!manifest.incarnation().equals(incarnation)) {
            return Optional.of(
                    "Expected a manifest of incarnation %s, but got one of %s"
                            .formatted(incarnation, manifest.incarnation()));
        }
        manifest.published().forEach(file -> files.add(file.path()));
        for (Manifest.Entry entry : manifest.entries()) {
            if (!entry.token().isOf(incarnation)) {
                return Optional.of(
                        "Expected tokens of incarnation %s in its manifest %s, but %s has %s"
                                .formatted(
                                        incarnation,
                                        manifest.sequence(),
                                        entry.id(),
                                        entry.token()));
            }
            sequences.set(ids.add(entry.id()), entry.token().sequence());
        }
        return Optional.empty();
    }

    /** True if a manifest says that this file is published. */
    boolean hasFile(String path) {
        return files.contains(path);
    }

    /** What to make of an id that the registry says one of the incarnation's tokens holds. */
    Verdict judge(Commit held) {
        int number = ids.find(held.id());
        if (number == IdIndex.ABSENT) {
            return Verdict.LOST;
        }
        return sequences.get(number) == held.token().sequence()
                ? Verdict.PUBLISHED
                : Verdict.OTHER_TOKEN;
    }

    /** The token with which a known identity was published. */
    CommitToken publishedToken(EventId id) {
        return CommitToken.of(incarnation, sequences.get(ids.find(id)));
    }

    int size() {
        return ids.size();
    }

    /** What became of an id that is held. */
    enum Verdict {
        /** It stands in a published file, with the holder's token. */
        PUBLISHED,
        /** It stands in none: it is to be joined again. */
        LOST,
        /**
         * It stands there with another token than the holder's. No rule of ours makes this, and to
         * join it again would double it: a person decides.
         */
        OTHER_TOKEN
    }
}
