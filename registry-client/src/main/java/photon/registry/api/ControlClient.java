package photon.registry.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import photon.core.id.EventId;
import photon.core.id.Incarnation;

/**
 * The control group: pipelines, slots, generations, fences (docs/protocol.md section 1). Used in
 * the owner's event loop, where futures are completed. Every command is asked again until the
 * answer is definite; all of them may be repeated.
 */
public interface ControlClient extends AutoCloseable {
    /** Behind every id that there can be. */
    EventId BEHIND_ALL = new EventId(Long.MAX_VALUE - 1, 0, 0, 0);

    /** As below: no id is ever too old. */
    default CompletableFuture<Pipeline> openPipeline(
            String name, UUID uuid, String identityFingerprint, int shards) {
        return openPipeline(name, uuid, identityFingerprint, shards, Duration.ZERO);
    }

    /**
     * Opens the pipeline, making it if the registry does not know the name.
     *
     * @param uuid used if it is new
     * @param retention used if it is new: older ids are refused and dropped; zero: none ever is
     * @return the pipeline as it stands: compare UUID and fingerprint with your own
     */
    CompletableFuture<Pipeline> openPipeline(
            String name, UUID uuid, String identityFingerprint, int shards, Duration retention);

    /**
     * Registers an incarnation of the slot, which fences all before it, and whatever is live in the
     * other slot of the pair, unless it rolls from that (docs/protocol.md section 1). Until it is
     * closed clean or repaired, no boundary passes what was told with {@link #renew}: where the
     * pipeline has a retention, whoever registers renews.
     *
     * @return fails with {@link RegistrationRefusedException} on another identity or output
     *     directory; with {@link FeatureLevelTooLowException} if it uses the unmatched kind too
     *     early, and with {@link NotReportedException} if its datacenter has not reported after a
     *     restore: both may be asked again; with {@link RollRefusedException} if the incarnation
     *     that it rolls from is not live: nothing was changed then
     */
    CompletableFuture<Incarnation> register(Registration registration);

    /**
     * What the control group knows of the pipeline's incarnations in slots whose name begins so.
     */
    CompletableFuture<List<IncarnationInfo>> incarnations(UUID pipeline, String slotPrefix);

    /**
     * Fences the incarnation in the control group and then in every group of the pipeline. Waits
     * for each of them, however long it takes.
     *
     * @return per group the index at or after which a scan sees all that the incarnation will ever
     *     hold
     */
    CompletableFuture<List<Fenced>> fence(UUID pipeline, Incarnation incarnation);

    /**
     * Fences the incarnation in the control group, unless it has renewed since. Unlike {@link
     * #fence} it waits for no other group: the repair that follows fences there.
     *
     * @param seen what the incarnation is fenced for
     */
    CompletableFuture<SilentFence> fenceSilent(
            UUID pipeline, Incarnation incarnation, Silence seen);

    /**
     * One page of the ids that the incarnation's tokens hold in one group, in id order, from any
     * replica that has applied the index of the fence. Asked again until a replica answers.
     *
     * <p>Fails with {@link RegistryUnavailableException} if the registry was restored from a backup
     * since the fence.
     *
     * @param after null: from the start
     */
    CompletableFuture<ScanPage> scan(
            UUID pipeline,
            Fenced group,
            Incarnation incarnation,
            @Nullable EventId after,
            int limit);

    /**
     * The boundary of a group's shard, from any replica that has applied the index of the fence: at
     * no cost, where a scan may have to look at all ids. Fails as {@link #scan} does.
     */
    default CompletableFuture<Long> boundary(UUID pipeline, Fenced group, Incarnation incarnation) {
        return scan(pipeline, group, incarnation, BEHIND_ALL, 1)
                .thenApply(ScanPage::boundaryMicros);
    }

    /** A clean close: fences it and says that all was answered and published. */
    CompletableFuture<IncarnationState> closeClean(UUID pipeline, Incarnation incarnation);

    /** As below: it does not say when it renews again. */
    default CompletableFuture<Renewed> renew(
            UUID pipeline, Incarnation incarnation, long holdMicros) {
        return renew(pipeline, incarnation, holdMicros, Duration.ZERO);
    }

    /**
     * Tells that whatever the incarnation has committed and not published, or ever will commit, is
     * at or above the time: no boundary passes it while the incarnation is open (docs/protocol.md
     * section 5). Never lowers what was told before.
     *
     * @param within how soon after the answer it renews again at the latest, so that nobody takes
     *     it for silent before; zero: it does not say
     */
    CompletableFuture<Renewed> renew(
            UUID pipeline, Incarnation incarnation, long holdMicros, Duration within);

    /**
     * All repair rows of the incarnation are durable. It must be fenced.
     *
     * @param repair if anything of it does not hold any more, the state that stands is answered,
     *     unchanged
     */
    CompletableFuture<IncarnationState> markRepaired(
            UUID pipeline, Incarnation incarnation, Repair repair);

    @Override
    void close();

    /**
     * A pipeline of the registry.
     *
     * @param retention how long ids are kept; empty: for ever
     * @param datacenters of which a joiner or a dispatcher's state was ever registered
     * @param retired those of them that take part no more
     */
    record Pipeline(
            UUID uuid,
            String name,
            String identityFingerprint,
            Optional<Duration> retention,
            List<String> datacenters,
            List<RetiredDatacenter> retired) {
        public Pipeline {
            datacenters = List.copyOf(datacenters);
            retired = List.copyOf(retired);
        }
    }

    /**
     * @param slotName such as {@code east/joiner-0}
     * @param nonceHex 16 random bytes, hex, of this start: asking again with it gets the same
     *     answer
     * @param outputId the output directory's own random id
     * @param rollsFrom this process's live incarnation in the other slot of the pair, which stays
     *     live; empty: the process registers afresh
     * @param usesUnmatchedKind its tokens say which ids are joined unmatched ({@link
     *     photon.core.id.CommitToken#asUnmatched}): refused while a server of the registry does not
     *     understand that, or may go back to a version that does not
     */
    record Registration(
            UUID pipeline,
            String slotName,
            String nonceHex,
            String address,
            long processId,
            long startedMicros,
            String identityFingerprint,
            String outputId,
            Optional<Incarnation> rollsFrom,
            boolean usesUnmatchedKind) {
        /** Its tokens tell no kind. */
        public Registration(
                UUID pipeline,
                String slotName,
                String nonceHex,
                String address,
                long processId,
                long startedMicros,
                String identityFingerprint,
                String outputId,
                Optional<Incarnation> rollsFrom) {
            this(
                    pipeline,
                    slotName,
                    nonceHex,
                    address,
                    processId,
                    startedMicros,
                    identityFingerprint,
                    outputId,
                    rollsFrom,
                    false);
        }

        /** Afresh, and its tokens tell no kind. */
        public Registration(
                UUID pipeline,
                String slotName,
                String nonceHex,
                String address,
                long processId,
                long startedMicros,
                String identityFingerprint,
                String outputId) {
            this(
                    pipeline,
                    slotName,
                    nonceHex,
                    address,
                    processId,
                    startedMicros,
                    identityFingerprint,
                    outputId,
                    Optional.empty());
        }
    }

    /**
     * What a repair rests on.
     *
     * @param life as {@link Fenced#life} said when it began: in another registry what was scanned
     *     then says nothing
     * @param timesReopened as {@link Rows#timesReopened} said when it began
     * @param rowsIn the dispatcher's state that has answered for the rows, which must be the
     *     registered one; empty: there were no rows
     */
    record Repair(int life, int timesReopened, Optional<UUID> rowsIn) {}

    /**
     * What is known of an incarnation's repair rows.
     *
     * @param timesReopened how often it was opened again after it was repaired
     * @param in once it is repaired: the dispatcher's state that has them; empty: there were none
     * @param lostWith while it is open again since they were in a state that is lost: that state
     * @param stateLostMicros when its datacenter's dispatcher lost its state last while the
     *     incarnation existed, in microseconds since 1970; 0: never
     */
    record Rows(
            int timesReopened, Optional<UUID> in, Optional<UUID> lostWith, long stateLostMicros) {
        /** Of one that was never repaired. */
        public static final Rows NONE = new Rows(0, Optional.empty(), Optional.empty(), 0);
    }

    /** What became of an incarnation. */
    enum IncarnationState {
        OPEN,
        CLEAN,
        REPAIRED
    }

    /**
     * An incarnation, or several of one slot in a row that were closed clean.
     *
     * @param incarnation of several the last
     * @param fenced true: it is not live any more
     * @param holdMicros no boundary passes this while it is open; {@link Long#MIN_VALUE}: anything
     * @param heardMicros when it registered or renewed last, by the registry's clock; 0: not known
     * @param renewedIndex the entry of the control group's log by which it did; 0: not known
     * @param renewsWithin how soon it renews again, as it has said; zero: it has not
     * @param firstGeneration of several the first one's; else the incarnation's
     */
    record IncarnationInfo(
            Incarnation incarnation,
            String slotName,
            IncarnationState state,
            boolean fenced,
            String address,
            long processId,
            long startedMicros,
            String outputId,
            long holdMicros,
            long heardMicros,
            long renewedIndex,
            Duration renewsWithin,
            Rows rows,
            int firstGeneration) {

        /** One of which nothing was heard. */
        public IncarnationInfo(
                Incarnation incarnation,
                String slotName,
                IncarnationState state,
                boolean fenced,
                String address,
                long processId,
                long startedMicros,
                String outputId) {
            this(
                    incarnation,
                    slotName,
                    state,
                    fenced,
                    address,
                    processId,
                    startedMicros,
                    outputId,
                    Long.MIN_VALUE,
                    0,
                    0,
                    Duration.ZERO,
                    Rows.NONE,
                    incarnation.generation());
        }

        /** What it tells of one of them. */
        public IncarnationInfo alone(Incarnation one) {
            return new IncarnationInfo(
                    one,
                    slotName,
                    state,
                    fenced,
                    address,
                    processId,
                    startedMicros,
                    outputId,
                    holdMicros,
                    heardMicros,
                    renewedIndex,
                    renewsWithin,
                    rows,
                    one.generation());
        }
    }

    /**
     * Where the boundaries of a pipeline are.
     *
     * @param limitMicros none is beyond; {@link Long#MIN_VALUE}: there is none
     * @param wantedMicros where the limit would be if nobody held it back; {@link Long#MIN_VALUE}:
     *     nowhere
     * @param fenced the incarnation is not live any more, and never will be
     */
    record Renewed(long limitMicros, long wantedMicros, boolean fenced) {
        /** Of one that is not known to be fenced. */
        public Renewed(long limitMicros, long wantedMicros) {
            this(limitMicros, wantedMicros, false);
        }
    }

    /**
     * What an incarnation is fenced for.
     *
     * @param renewedIndex as {@link IncarnationInfo#renewedIndex} was seen; above 0
     * @param lasted for people
     */
    record Silence(long renewedIndex, Duration lasted) {}

    /** What became of a fence for silence. */
    enum SilentFence {
        /** By this call. */
        FENCED,
        /** It was not live any more: by another, or by this call, whose answer was lost. */
        FENCED_BEFORE,
        /** Nothing was changed: it has renewed since. */
        HAS_RENEWED
    }

    /**
     * A group in which a fence is applied.
     *
     * @param life which registry it is: 0, and of one that was restored from a backup a number,
     *     higher with each restore
     */
    record Fenced(RegistryClient.Shard shard, long index, int life) {
        /** Of a registry that was never restored. */
        public Fenced(RegistryClient.Shard shard, long index) {
            this(shard, index, 0);
        }
    }

    /** Some ids of one group. */
    record ScanPage(List<RegistryClient.Commit> held, boolean more, long boundaryMicros) {}
}
