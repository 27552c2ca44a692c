package photon.eventstore.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static photon.eventstore.Events.event;
import static photon.eventstore.Events.key;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.core.share.EventStoreShares;
import photon.core.share.StoreShare;
import photon.eventstore.index.IndexBatch;
import photon.eventstore.index.MemoryLogIndex;
import photon.proto.v1.Event;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;
import photon.proto.v1.PrimaryLookupResponse.Result;
import photon.proto.v1.PrimaryLookupResponse.Status;

class LookupServiceTest {
    private final ManualLoop admission = new ManualLoop();
    private final ManualLoop reader = new ManualLoop();
    private final MemoryLogIndex index = new MemoryLogIndex();
    private final List<Long> boundaries = new ArrayList<>();
    private final LookupCounts counts = new LookupCounts();
    private final List<PrimaryLookupResponse> answers = new ArrayList<>();

    @Test
    void whatWasTailedIsFoundAndAMissIsNotYetInTheOrderAsked() {
        Event query = index(event("q1", "{}"));
        ask(service(10, 1 << 20), 5, "q0", "q1", "q2");
        run();
        assertThat(answers)
                .containsExactly(
                        PrimaryLookupResponse.newBuilder()
                                .setRequest(5)
                                .setAllRead(true)
                                .addResults(notYet())
                                .addResults(found(query))
                                .addResults(notYet())
                                .build());
    }

    @Test
    void theBoundaryThatAJoinerHasHeardOfIsPassedOn() {
        LookupService service = service(10, 1 << 20);
        ask(service, 1, "q1");
        service.handle(
                PrimaryLookupRequest.newBuilder().setBoundaryMicros(77).build(), answers::add);
        assertThat(boundaries).containsExactly(77L);
    }

    @Test
    void aKeyThatIsAskedForTwiceIsAnsweredTwice() {
        Event query = index(event("q1", "{}"));
        ask(service(10, 1 << 20), 1, "q1", "q1");
        run();
        assertThat(answers.get(0).getResultsList()).containsExactly(found(query), found(query));
        assertThat(counts.lookups()).isEqualTo(2);
    }

    @Test
    void tooMuchWaitingIsRefusedOnArrivalAndAdmittedAgainAfterwards() {
        LookupService service = service(2, 1 << 20);
        ask(service, 1, "a", "b");
        ask(service, 2, "c");
        admission.runUntilIdle();
        assertThat(answers).extracting(PrimaryLookupResponse::getRequest).containsExactly(2L);
        assertThat(answers.get(0).getResourceExhausted()).isTrue();
        assertThat(counts.refused()).isEqualTo(1);
        run();
        ask(service, 3, "c");
        run();
        assertThat(answers)
                .extracting(PrimaryLookupResponse::getRequest)
                .containsExactly(2L, 1L, 3L);
        assertThat(answers.get(2).getResourceExhausted()).isFalse();
    }

    @Test
    void aRequestLargerThanTheBoundIsServedAlone() {
        LookupService service = service(2, 1 << 20);
        ask(service, 1, "a", "b", "c");
        run();
        assertThat(answers.get(0).getResultsCount()).isEqualTo(3);
    }

    @Test
    void anAnswerIsBoundedAndWhatDoesNotFitIsAskedAgain() {
        Event big = index(event("big", "{\"text\":\"" + "x".repeat(1_000) + "\"}"));
        index(event("big2", "{\"text\":\"" + "x".repeat(1_000) + "\"}"));
        Event small = index(event("small", "{}"));
        ask(service(10, 1_500), 1, "big", "big2", "small");
        run();
        assertThat(answers.get(0).getResultsList())
                .containsExactly(found(big), notYet(), found(small));
    }

    /** What had no room looks like a miss, and is none. */
    @Test
    void aMissIsFinalOnlyWhereAllIsReadAndNothingWasLeftOut() {
        index(event("big", "{\"text\":\"" + "x".repeat(1_000) + "\"}"));
        index(event("big2", "{\"text\":\"" + "x".repeat(1_000) + "\"}"));
        LookupService service = service(10, 1_500);
        ask(service, 1, "big", "none");
        ask(service, 2, "big", "big2", "none");
        run();
        allRead = false;
        ask(service, 3, "none");
        run();
        assertThat(answers)
                .extracting(PrimaryLookupResponse::getAllRead)
                .containsExactly(true, false, false);
    }

    @Test
    void oneEventAlwaysFitsAnAnswer() {
        Event big = index(event("big", "{\"text\":\"" + "x".repeat(1_000) + "\"}"));
        ask(service(10, 10), 1, "big");
        run();
        assertThat(answers.get(0).getResultsList()).containsExactly(found(big));
    }

    @Test
    void anEventWithAnotherKeyNeverJoinsHoweverItWasFound() {
        assertThat(PrimaryLookupRule.judge(key("q1"), event("q2", "{}"), StoreShare.WHOLE))
                .isEqualTo(notYet());
    }

    /** With one that is not of the share nothing is final for those that do not know the word. */
    @Test
    void whatIsNotOfTheShareIsElsewhereAndNeverFinal() {
        EventStoreShares shares = new EventStoreShares(List.of("a", "b"), 1);
        share = new StoreShare(shares, "a");
        List<String> own = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int i = 0; own.size() < 2 || others.size() < 2; i++) {
            (share.holds(key("k" + i)) ? own : others).add("k" + i);
        }
        Event kept = index(event(others.get(1), "{}"));
        LookupService service = service(10, 1 << 20);
        ask(service, 1, own.get(0), others.get(0), others.get(1));
        ask(service, 2, own.get(0), own.get(1));
        run();
        assertThat(answers.get(0).getResultsList())
                .containsExactly(
                        notYet(), notYet().toBuilder().setElsewhere(true).build(), found(kept));
        assertThat(answers)
                .extracting(PrimaryLookupResponse::getAllRead)
                .containsExactly(false, true);
        assertThat(counts.elsewhere()).isEqualTo(1);
    }

    private StoreShare share = StoreShare.WHOLE;
    private boolean allRead = true;

    private LookupService service(int keysMax, long answerBytesMax) {
        PrimaryLookup lookup = new PrimaryLookup(index, share, counts, answerBytesMax);
        return new LookupService(
                admission,
                List.of(reader),
                lookup,
                counts,
                keysMax,
                () -> false,
                () -> allRead,
                boundaries::add);
    }

    private void ask(LookupService service, long number, String... ids) {
        List<ByteString> keys = new ArrayList<>();
        for (String id : ids) {
            keys.add(key(id));
        }
        service.handle(
                PrimaryLookupRequest.newBuilder().setRequest(number).addAllKeys(keys).build(),
                answers::add);
    }

    private Event index(Event event) {
        index.put(new IndexBatch(List.of(event), List.of(), 0));
        return event;
    }

    private void run() {
        reader.runUntilIdle();
        admission.runUntilIdle();
    }

    private static Result found(Event event) {
        return Result.newBuilder().setStatus(Status.FOUND).setPrimary(event).build();
    }

    private static Result notYet() {
        return Result.newBuilder().setStatus(Status.NOT_YET).build();
    }
}
