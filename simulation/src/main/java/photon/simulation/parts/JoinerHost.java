package photon.simulation.parts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.loop.EventLoop;
import photon.core.rpc.Caller;
import photon.core.rpc.HostPort;
import photon.core.rpc.SessionHandler;
import photon.core.trace.AttemptTracer;
import photon.joiner.Joiner;
import photon.joiner.JoinerPeers;
import photon.joiner.JoinerSettings;
import photon.joiner.JoinerStatus;
import photon.joiner.incarnation.LifeListener;
import photon.joiner.output.JoinerWorkArea;
import photon.joiner.rules.StoreRoutes;
import photon.joiner.task.EventStores;
import photon.joiner.task.TaskEnd;
import photon.proto.v1.JoinRequest;
import photon.proto.v1.JoinResponse;
import photon.proto.v1.PrimaryLookupRequest;
import photon.proto.v1.PrimaryLookupResponse;
import photon.registry.client.RegistryConnection;
import photon.simulation.kernel.Life;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputIdentity;
import photon.storage.output.format.OutputFormats;

/**
 * One of a datacenter's joiners as a process, wired as {@link photon.joiner.JoinerServer} wires it.
 */
public final class JoinerHost extends ProcessHost {
    static final String JOIN = "Join";
    static final String INQUIRE_TOKENS = "InquireTokens";

    private @Nullable Joiner joiner;
    private @Nullable Answered answered;
    private int slotsLeft;

    /**
     * @param number from 0
     */
    JoinerHost(SimulatedSite site, int number) {
        super(site, role(number));
    }

    static String role(int number) {
        return "joiner-" + number;
    }

    /** Hears of answers. */
    public interface Answered {
        /**
         * JOINED is about to be answered for these events.
         *
         * @param by the incarnation that answers, and, while it rolls, the one before or behind
         */
        void joined(List<Incarnation> by, List<EventId> ids);

        /**
         * ID_TOO_OLD is about to be answered for these events, by the registry's word.
         *
         * @param by as above
         */
        void tooOld(List<Incarnation> by, List<EventId> ids);
    }

    /** From its next start on somebody hears of what it answers. */
    public void watch(Answered answered) {
        this.answered = answered;
    }

    @Override
    void open(Means means) {
        SimulatedOpenedPipeline.enter(
                this,
                means,
                admission -> {
                    EventLoop output = means.life().loop("output");
                    attempt(
                            means,
                            output,
                            () -> {
                                OutputDirectory directory = openOutput(means, admission);
                                means.main()
                                        .execute(() -> begin(means, output, directory, admission));
                            });
                });
    }

    /** As every process does that works with the output. */
    private OutputDirectory openOutput(Means means, SimulatedOpenedPipeline admission)
            throws IOException {
        return openOutput(site, means, admission, crashPoints(means.life()));
    }

    static OutputDirectory openOutput(
            SimulatedSite site,
            Means means,
            SimulatedOpenedPipeline admission,
            CrashPoints crashPoints)
            throws IOException {
        byte[] outputId = new byte[16];
        means.life().random().nextBytes(outputId);
        return OutputDirectory.open(
                means.files(),
                site.layout.output(),
                new OutputIdentity(
                        admission.pipeline().toString(),
                        admission.fingerprint(),
                        site.datacenter(),
                        HexFormat.of().formatHex(outputId)),
                OutputFormats.of(OutputConfig.DEFAULTS),
                crashPoints,
                means.life().clock());
    }

    private void begin(
            Means means,
            EventLoop output,
            OutputDirectory directory,
            SimulatedOpenedPipeline admission) {
        Life life = means.life();
        EventLoop main = means.main();
        HostPort address = site.layout.address(role);
        RegistryConnection connection = connect(means);
        EventLoop adapters = life.loop("adapters");
        Heard heard = new Heard(life);
        Joiner made =
                new Joiner(
                        settings(
                                admission.fingerprint(),
                                admission.pipeline(),
                                life.number(),
                                life.clock().now().earliestMicros()),
                        address.toString(),
                        new Joiner.Loops(main, output, adapters::execute),
                        new JoinerPeers(
                                connection.registry(admission.description()),
                                connection.control(),
                                eventStores(life, main),
                                connection::close),
                        JoinerWorkArea.of(directory),
                        life.clock(),
                        life.random(),
                        crashPoints(life),
                        AttemptTracer.OFF,
                        heard);
        site.world
                .network()
                .serveSession(life, main, address, JOIN, heard.watching(made.service()));
        site.world.network().serve(life, main, address, INQUIRE_TOKENS, made.inquiry());
        made.start();
        if (life == life()) {
            joiner = made;
        }
    }

    private EventStores eventStores(Life life, EventLoop main) {
        List<Caller<PrimaryLookupRequest, PrimaryLookupResponse>> callers = new ArrayList<>();
        for (String store : EventStoreHost.roles(site)) {
            callers.add(
                    site.world
                            .network()
                            .<PrimaryLookupRequest, PrimaryLookupResponse>caller(
                                    life,
                                    networkHost(),
                                    main,
                                    site.layout.address(store),
                                    EventStoreHost.LOOKUP,
                                    JoinerPeers.LOOKUP_DEADLINE));
        }
        return new EventStores(new StoreRoutes(site.eventStores()), callers);
    }

    /** From its next start on: the process has moved, and nobody takes its slot again. */
    public void takeOtherSlot() {
        slotsLeft++;
    }

    private String slotName() {
        return slotsLeft == 0 ? process() : process() + "-moved-" + slotsLeft;
    }

    /** With which it runs; the process's own facts are those of its first life. */
    public JoinerSettings settings() {
        return settings("", new UUID(0, 0), 1, 0);
    }

    private JoinerSettings settings(
            String fingerprint, UUID pipeline, long processId, long startedMicros) {
        return JoinerSettings.of(
                site.config,
                site.layout.address(role),
                pipeline,
                fingerprint,
                slotName(),
                processId,
                startedMicros);
    }

    /** How it stands; null while it does not run. */
    public @Nullable JoinerStatus status() {
        Joiner now = joiner;
        return now == null ? null : now.status();
    }

    @Override
    void close(Life life) {
        Joiner now = joiner;
        if (now == null) {
            life.end("closed before it served");
        } else {
            main(life)
                    .execute(
                            () ->
                                    now.close(
                                            clean ->
                                                    life.end(
                                                            clean
                                                                    ? "closed cleanly"
                                                                    : "closed uncleanly")));
        }
    }

    @Override
    void gone() {
        joiner = null;
    }

    /** In production whoever started the joiner ends the process then. */
    private final class Heard implements LifeListener {
        private final Life life;

        /**
         * The last one that served, and, if it came by a roll, the one before: what comes late is
         * answered in the name of none other.
         */
        private List<Incarnation> incarnations = List.of();

        private @Nullable Incarnation lastEnded;

        Heard(Life life) {
            this.life = life;
        }

        SessionHandler<JoinRequest, JoinResponse> watching(
                SessionHandler<JoinRequest, JoinResponse> service) {
            Answered told = answered;
            if (told == null) {
                return service;
            }
            return new WatchedAnswers(
                    service,
                    joined -> told.joined(incarnations, joined),
                    tooOld -> told.tooOld(incarnations, tooOld));
        }

        @Override
        public void serving(Incarnation now) {
            Incarnation before =
                    incarnations.isEmpty() ? null : incarnations.get(incarnations.size() - 1);
            incarnations =
                    before == null || before.equals(lastEnded)
                            ? List.of(now)
                            : List.of(before, now);
        }

        @Override
        public void startsOver(Incarnation ended, TaskEnd end, String reason, int inARow) {
            lastEnded = ended;
        }

        @Override
        public void slotTakenOver(String message) {
            site.world.timeline().trace().add(process(), "was displaced: %s", message);
            life.end("displaced");
        }

        @Override
        public void refused(String message) {
            site.world.bugs().met(life, "registration", new IllegalStateException(message));
            life.end("refused");
        }
    }
}
