package photon.testbed.chaos;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import photon.proto.v1.SetPipelineRequest;
import photon.proto.v1.SetPipelineResponse;
import photon.registry.api.RegistryProtos;

/** Another retention: the boundary makes a step, goes on at its pace, or stands still. */
record Boundary(ChaosTarget site) implements ChaosAction {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int SECONDS_MIN = 10;
    private static final int SECONDS_SPAN = 25;

    /** Ids of any age are taken, from now on, unless they are below the boundary already. */
    static final int UNLIMITED = 0;

    @Override
    public ActionKind kind() {
        return ActionKind.BOUNDARY;
    }

    @Override
    public String carryOut(Schedule.Planned planned, Moment moment) throws InterruptedException {
        int seconds =
                planned.pick() % 6 == 0 ? UNLIMITED : SECONDS_MIN + planned.pick() % SECONDS_SPAN;
        moment.tell(
                seconds == UNLIMITED ? "retention unlimited" : "retention %d s".formatted(seconds));
        set(site, seconds);
        moment.undone();
        return "done";
    }

    /**
     * Sets the pipeline's retention.
     *
     * @throws TroubleException if it is not set in time
     */
    static void set(ChaosTarget site, int seconds) throws InterruptedException {
        SetPipelineResponse answer =
                site.operator()
                        .ask(
                                "a pipeline's new retention",
                                PATIENCE,
                                known ->
                                        known.pipelines()
                                                .set(
                                                        SetPipelineRequest.newBuilder()
                                                                .setPipeline(
                                                                        RegistryProtos.bytes(
                                                                                site.pipeline()))
                                                                .setRetentionMicros(
                                                                        TimeUnit.SECONDS.toMicros(
                                                                                seconds))
                                                                .build()));
        if (answer.getVerdict() != SetPipelineResponse.Verdict.SET) {
            throw new TroubleException(
                    "Expected a retention to be set, but got " + answer.getVerdict());
        }
    }
}
