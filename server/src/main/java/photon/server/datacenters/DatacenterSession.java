package photon.server.datacenters;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import photon.core.error.FailedException;
import photon.core.rpc.HostPort;
import photon.core.rpc.RpcSecurity;
import photon.core.time.IntervalClock;
import photon.proto.v1.RetireDatacenterRequest;
import photon.proto.v1.RetireDatacenterResponse;
import photon.registry.admin.ControlSession;
import photon.registry.api.ControlClient;
import photon.registry.api.ControlClient.Fenced;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.ControlClient.Repair;
import photon.registry.api.RegistrationRefusedException;
import photon.registry.api.RetiredDatacenter;
import photon.registry.client.RegistryConnection;
import photon.storage.files.FileStore;

/** Looks at the datacenters of a pipeline and retires one, by its registry and its files. */
public final class DatacenterSession {
    private static final Duration LEVEL_EVERY = Duration.ofMillis(200);

    private final Where where;
    private final FileStore files;
    private final IntervalClock clock;
    private final Duration patience;
    private final ControlClient.Pipeline held;

    /**
     * Where a pipeline's registry and files are.
     *
     * @param pipeline its name
     * @param state the directory in which each datacenter has one of its name
     * @param shared likewise: what several machines of a datacenter use; a path, or a URI
     * @param output likewise
     */
    public record Where(
            List<HostPort> servers,
            RpcSecurity security,
            String pipeline,
            Path state,
            String shared,
            String output) {
        public Where {
            servers = List.copyOf(servers);
        }
    }

    private DatacenterSession(
            Where where,
            FileStore files,
            IntervalClock clock,
            Duration patience,
            ControlClient.Pipeline held) {
        this.where = where;
        this.files = files;
        this.clock = clock;
        this.patience = patience;
        this.held = held;
    }

    /**
     * Asks the registry for the pipeline.
     *
     * @param patience how long to wait for the registry, each time
     * @throws FailedException if it has no such pipeline, or does not answer
     */
    public static DatacenterSession open(
            Where where, FileStore files, IntervalClock clock, Duration patience) {
        return new DatacenterSession(
                where,
                files,
                clock,
                patience,
                held(where.servers(), where.security(), where.pipeline(), patience));
    }

    /**
     * Whether a datacenter of the pipeline is retired.
     *
     * @throws FailedException as {@link #open}
     */
    public static Optional<RetiredDatacenter> retired(
            List<HostPort> servers,
            RpcSecurity security,
            String pipeline,
            String name,
            Duration patience) {
        return named(held(servers, security, pipeline, patience).retired(), name);
    }

    private static Optional<RetiredDatacenter> named(List<RetiredDatacenter> all, String name) {
        return all.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    private static ControlClient.Pipeline held(
            List<HostPort> servers, RpcSecurity security, String pipeline, Duration patience) {
        try {
            // Without shards it is not made where it is not known.
            return ask(
                    servers,
                    security,
                    patience,
                    connection ->
                            connection.control().openPipeline(pipeline, new UUID(0, 0), "", 0));
        } catch (RegistrationRefusedException e) {
            throw new FailedException("the registry does not know pipeline %s".formatted(pipeline));
        }
    }

    /** All that ever took part, in order. */
    public List<String> names() {
        return held.datacenters();
    }

    /**
     * The registry first, then the files: a repair row that comes behind the look at the journal is
     * of an incarnation that this listing does not show settled.
     *
     * @param journalIsStill false: its dispatcher is at work, and its journal is not read
     */
    public DatacenterFacts look(String name, boolean journalIsStill) throws IOException {
        List<IncarnationInfo> incarnations =
                ask(connection -> connection.control().incarnations(held.uuid(), name + "/"));
        Optional<UUID> state =
                ask(connection -> connection.states().registered(held.uuid(), name)).state();
        DatacenterPaths paths =
                new DatacenterPaths(
                        name,
                        where.state().resolve(name),
                        where.shared() + "/" + name,
                        where.output() + "/" + name);
        DatacenterLook look = new DatacenterLook(files, clock, held.uuid());
        return new DatacenterFacts(
                name,
                named(held.retired(), name),
                incarnations,
                state,
                look.published(paths),
                journalIsStill ? look.journal(paths, state) : Optional.empty());
    }

    /** Says by hand what repairs would have said: what these had and did not publish is lost. */
    public void giveUp(List<IncarnationInfo> open) {
        for (IncarnationInfo info : open) {
            List<Fenced> fenced =
                    ask(connection -> connection.control().fence(held.uuid(), info.incarnation()));
            IncarnationState stands =
                    ask(
                            connection ->
                                    connection
                                            .control()
                                            .markRepaired(
                                                    held.uuid(),
                                                    info.incarnation(),
                                                    new Repair(
                                                            fenced.get(0).life(),
                                                            info.rows().timesReopened(),
                                                            Optional.empty())));
            if (stands == IncarnationState.OPEN) {
                throw new FailedException(
                        "incarnation %s of %s was opened again meanwhile: look again"
                                .formatted(info.incarnation(), info.slotName()));
            }
        }
    }

    /**
     * Retires it, if nothing has changed since it was looked at.
     *
     * @throws FailedException if it is not retired: says why
     */
    public RetiredDatacenter retire(DatacenterFacts seen) {
        RetireDatacenterRequest request = seen.request(held.uuid());
        // Servers that have just been started tell what they understand a moment later.
        long giveUpAt = System.nanoTime() + patience.toNanos();
        RetireDatacenterResponse answer = ask(c -> c.pipelines().retire(request));
        while (answer.getVerdict() == RetireDatacenterResponse.Verdict.FEATURE_LEVEL_TOO_LOW
                && System.nanoTime() < giveUpAt) {
            LockSupport.parkNanos(LEVEL_EVERY.toNanos());
            answer = ask(c -> c.pipelines().retire(request));
        }
        if (answer.getVerdict() == RetireDatacenterResponse.Verdict.RETIRED) {
            return RetiredDatacenter.of(answer.getRetired());
        }
        throw new FailedException("not retired: " + refusal(seen.name(), answer));
    }

    private static String refusal(String name, RetireDatacenterResponse answer) {
        return switch (answer.getVerdict()) {
            case INCARNATIONS_OPEN, SEEN_CHANGED ->
                    "something of %s has started or was opened again since it was looked at. Look again"
                            .formatted(name);
            case LAST_DATACENTER ->
                    "no other datacenter takes part in the pipeline. To end the pipeline, use"
                            + " 'photon registry pipelines drop'";
            case FEATURE_LEVEL_TOO_LOW ->
                    "not every registry server runs a version that knows retired datacenters: see"
                            + " 'photon registry members list'";
            case UNKNOWN_DATACENTER -> "the registry knows no datacenter " + name;
            default -> "the registry does not know the pipeline any more";
        };
    }

    private <T> T ask(Function<RegistryConnection, CompletableFuture<T>> question) {
        return ask(where.servers(), where.security(), patience, question);
    }

    private static <T> T ask(
            List<HostPort> servers,
            RpcSecurity security,
            Duration patience,
            Function<RegistryConnection, CompletableFuture<T>> question) {
        try {
            return new ControlSession(servers, patience, security).ask(question);
        } catch (TimeoutException e) {
            throw new FailedException(
                    "the registry has not answered within %d s"
                            .formatted(TimeUnit.NANOSECONDS.toSeconds(patience.toNanos())));
        }
    }
}
