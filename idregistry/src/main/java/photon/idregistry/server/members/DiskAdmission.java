package photon.idregistry.server.members;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import photon.core.error.ConfigException;
import photon.core.loop.EventLoop;
import photon.core.rpc.GrpcServer;
import photon.core.rpc.HostPort;
import photon.core.rpc.ProcessRpcs;
import photon.idregistry.members.FirstStart;
import photon.idregistry.members.WaitNotice;
import photon.idregistry.replicated.FeatureLevel;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.proto.v1.AdmitDiskRequest;
import photon.proto.v1.AdmitDiskResponse;
import photon.proto.v1.DiskState;
import photon.proto.v1.IntroduceRequest;
import photon.proto.v1.IntroduceResponse;
import photon.proto.v1.MemberDisk;
import photon.proto.v1.MembersGrpc;
import photon.proto.v1.Progress;
import photon.registry.api.RegistryProtos;

/**
 * Lets a server begin, or not, by which disk it has (docs/protocol.md section 11). Until then it
 * answers at its service address who it is, and what every server of its process answers. Waits in
 * the thread that starts the server; asks in the server's loop.
 */
public final class DiskAdmission {
    private static final Logger LOG = LoggerFactory.getLogger(DiskAdmission.class);
    private static final Duration ASK_EVERY = Duration.ofMillis(100);
    private static final Duration ASK_CONTROL_EVERY = Duration.ofSeconds(1);

    /** Whoever is there answers at once: in three round trips with the connection. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final RegistryServerConfig config;
    private final ProcessRpcs rpcs;
    private final EventLoop loop;
    private final OwnDisk disk;
    private String trouble = "";

    /** The control group has said that this server is no member. */
    private boolean awaitsAdding;

    public DiskAdmission(
            RegistryServerConfig config, ProcessRpcs rpcs, EventLoop loop, OwnDisk disk) {
        this.config = config;
        this.rpcs = rpcs;
        this.loop = loop;
        this.disk = disk;
    }

    /**
     * Returns when this disk may take part, however long that is.
     *
     * @return as which number behind the server's name
     * @throws ConfigException if it may not
     */
    public int await() {
        if (disk.isStarted()) {
            checkNotReplaced();
            return disk.number();
        }
        if (config.others().isEmpty()) {
            return 1;
        }
        LOG.info("Disk {} of {} has never taken part in a registry", disk.id(), config.name());
        FirstStart start =
                new FirstStart(
                        config.name(), config.names(), disk.state() == DiskState.DISK_CLEARED);
        try (GrpcServer identity =
                GrpcServer.at(config.self().service(), loop)
                        .within(rpcs)
                        .unary(
                                MembersGrpc.getIntroduceMethod(),
                                (request, respond) -> respond.accept(self(config, disk).build()))
                        .start()) {
            LOG.debug("{} answers who it is", identity.address());
            return await(start);
        }
    }

    private int await(FirstStart start) {
        WaitNotice notice = new WaitNotice(loop.nanoTime());
        while (true) {
            switch (start.next()) {
                case CLEAR -> {
                    disk.clear();
                    start.cleared();
                }
                case BEGIN -> {
                    return 1;
                }
                case ASK -> askAll(start);
                case ASK_CONTROL -> {
                    AdmitDiskResponse answer = askControl();
                    if (answer != null
                            && answer.getVerdict() == AdmitDiskResponse.Verdict.ADMITTED) {
                        return answer.getMember().getNumber();
                    }
                    if (answer != null
                            && answer.getVerdict()
                                    == AdmitDiskResponse.Verdict.FEATURE_LEVEL_TOO_LOW) {
                        throw new ConfigException(tooOld(config, answer.getFeatureLevel()));
                    }
                    if (answer != null
                            && answer.getVerdict() != AdmitDiskResponse.Verdict.NOT_A_MEMBER) {
                        throw refused(answer.getMember());
                    }
                    askAll(start);
                    pause(ASK_CONTROL_EVERY);
                }
            }
            if (notice.isDue(start, loop.nanoTime())) {
                tell(start);
            }
            pause(ASK_EVERY);
        }
    }

    private void tell(FirstStart start) {
        if (awaitsAdding) {
            LOG.warn(
                    "{} has a blank disk and waits: the registry is there, and {} is not on its roster. Run 'photon registry members add {}'",
                    config.name(),
                    config.name(),
                    config.name());
        } else {
            LOG.warn(
                    "{} has a blank disk and waits for {}{}",
                    config.name(),
                    start.waitsFor(),
                    trouble);
        }
    }

    private void askAll(FirstStart start) {
        ask(
                (name, answer) -> {
                    String why =
                            disk.state() == DiskState.DISK_CLEARED
                                    ? replaced(config, disk, answer.getAsker())
                                    : "";
                    if (!why.isEmpty()) {
                        throw new ConfigException(why);
                    }
                    start.heard(name, answer);
                },
                start::silent);
    }

    private void pause(Duration length) {
        CompletableFuture<Boolean> over = new CompletableFuture<>();
        loop.execute(() -> loop.schedule(length, () -> over.complete(true)));
        try {
            over.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartInterruptedException(
                    config.name() + " was ended while it waited for the other servers");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a server says of itself, without what it knows of others. */
    static IntroduceResponse.Builder self(RegistryServerConfig config, OwnDisk disk) {
        return IntroduceResponse.newBuilder()
                .setName(config.name())
                .setDisk(disk.bytes())
                .setState(disk.state())
                .addAllServers(config.names());
    }

    /** All others, over new connections: one that was refused is not tried again for a while. */
    private void ask(
            BiConsumer<String, IntroduceResponse> heard, BiConsumer<String, String> silent) {
        IntroduceRequest request =
                IntroduceRequest.newBuilder().setName(config.name()).setDisk(disk.bytes()).build();
        Map<String, CompletableFuture<Object>> asked = new HashMap<>();
        config.others().forEach(peer -> asked.put(peer.name(), new CompletableFuture<>()));
        CompletableFuture<MembersClient> made = new CompletableFuture<>();
        loop.execute(
                () -> {
                    MembersClient client = new MembersClient(loop, rpcs.security());
                    made.complete(client);
                    for (RegistryServerConfig.Peer peer : config.others()) {
                        CompletableFuture<Object> answer =
                                java.util.Objects.requireNonNull(asked.get(peer.name()));
                        client.introduce(
                                peer.service(),
                                PATIENCE,
                                request,
                                answer::complete,
                                answer::complete);
                    }
                });
        asked.forEach(
                (name, answer) -> {
                    Object said =
                            answer.completeOnTimeout(
                                            "does not answer",
                                            2 * PATIENCE.toMillis(),
                                            TimeUnit.MILLISECONDS)
                                    .join();
                    if (said instanceof IntroduceResponse response) {
                        heard.accept(name, response);
                    } else {
                        LOG.debug("{} is not heard of: {}", name, said);
                        silent.accept(name, "does not answer");
                    }
                });
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        loop.execute(
                () -> {
                    made.join().close();
                    closed.complete(true);
                });
        closed.join();
    }

    /** Null: nobody can tell now. */
    private @Nullable AdmitDiskResponse askControl() {
        AdmitDiskRequest request =
                AdmitDiskRequest.newBuilder()
                        .setName(config.name())
                        .setDisk(disk.bytes())
                        .setFeatureLevel(FeatureLevel.SUPPORTED)
                        .setActor("registry " + config.self().service())
                        .build();
        for (RegistryServerConfig.Peer peer : config.others()) {
            AdmitDiskResponse answer = admit(peer.service(), request);
            if (answer != null && answer.getProgress() == Progress.DECIDED) {
                awaitsAdding = answer.getVerdict() == AdmitDiskResponse.Verdict.NOT_A_MEMBER;
                return answer;
            }
        }
        awaitsAdding = false;
        trouble = "; the registry is there, but its control group has no leader that answers";
        return null;
    }

    private @Nullable AdmitDiskResponse admit(HostPort server, AdmitDiskRequest request) {
        CompletableFuture<AdmitDiskResponse> answer = new CompletableFuture<>();
        loop.execute(
                () -> {
                    MembersClient client = new MembersClient(loop, rpcs.security());
                    Consumer<AdmitDiskResponse> done =
                            said -> {
                                client.close();
                                answer.complete(said);
                            };
                    client.admit(
                            server,
                            request,
                            done,
                            why -> done.accept(AdmitDiskResponse.getDefaultInstance()));
                });
        return answer.join();
    }

    /**
     * Why this server's software may not run in the registry.
     *
     * @param level what the registry may write
     */
    static String tooOld(RegistryServerConfig config, int level) {
        return "The registry writes what feature level %d has, and the software of server %s understands level %d. Expected the version that the other servers run, or a later one"
                .formatted(level, config.name(), FeatureLevel.SUPPORTED);
    }

    private ConfigException refused(MemberDisk member) {
        return new ConfigException(
                "The disk in %s is blank, and server %s of this registry has taken part with %s: it would have forgotten what it has confirmed. Expected that disk; if it is lost for ever, run 'photon registry members replace %s' and start the server again"
                        .formatted(
                                config.data(),
                                config.name(),
                                member.getDisk().isEmpty()
                                        ? "another one"
                                        : "disk " + RegistryProtos.uuid(member.getDisk()),
                                config.name()));
    }

    /** Only what anybody answers at once: a registry that starts as a whole has nobody to ask. */
    private void checkNotReplaced() {
        String[] why = {""};
        ask(
                (name, answer) -> {
                    String said = replaced(config, disk, answer.getAsker());
                    if (!said.isEmpty()) {
                        why[0] = said;
                    }
                },
                (name, silent) -> {});
        if (!why[0].isEmpty()) {
            throw new ConfigException(why[0]);
        }
    }

    /**
     * Why this disk may not take part any more; empty: it may, as far as is known there. What the
     * control group has decided of a disk is never taken back, so it is right however old.
     */
    static String replaced(RegistryServerConfig config, OwnDisk disk, MemberDisk known) {
        boolean another =
                known.getNumber() == disk.number()
                        && !known.getDisk().isEmpty()
                        && !known.getDisk().equals(disk.bytes());
        if (known.getNumber() > disk.number() && known.getDisk().isEmpty() && !known.getJoining()) {
            return "Registry server %s was removed from the registry: its disk %s, in %s, takes no part any more. Expected no such server; to have it again, run 'photon registry members add %s' and start it with an empty directory"
                    .formatted(config.name(), disk.id(), config.data(), config.name());
        }
        return known.getNumber() > disk.number() || another
                ? "Disk %s of registry server %s, in %s, was replaced: it is declared lost for ever, and takes no part any more. Expected %s, with an empty directory for the server to start with"
                        .formatted(
                                disk.id(),
                                config.name(),
                                config.data(),
                                known.getDisk().isEmpty()
                                        ? "another disk"
                                        : "disk " + RegistryProtos.uuid(known.getDisk()))
                : "";
    }
}
