package photon.server.configcheck;

import static java.time.temporal.ChronoUnit.MICROS;

import com.google.common.net.InetAddresses;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import photon.core.config.ConfigLoader;
import photon.core.config.DeploymentConfig;
import photon.core.config.LocalPath;
import photon.core.config.StreamConfig;
import photon.core.config.TracingConfig;
import photon.core.error.ConfigException;
import photon.core.error.FailedException;
import photon.core.error.IoText;
import photon.core.rpc.RpcSecurity;
import photon.core.security.TlsFiles;
import photon.core.time.ChronyClock;
import photon.core.time.ClockState;
import photon.core.time.IntervalClock;
import photon.idregistry.batch.BatchLimits;
import photon.registry.admin.ClockLook;
import photon.registry.admin.RegistryView;
import photon.registry.admin.StatusPoll;
import photon.server.configcheck.rules.CertificateRules;
import photon.server.configcheck.rules.CheckLine;
import photon.server.configcheck.rules.ClockRules;
import photon.server.configcheck.rules.PathRules;
import photon.server.configcheck.rules.PortRules;
import photon.server.configcheck.rules.RetentionRules;
import photon.server.configcheck.rules.TracingRules;
import photon.server.configtest.BoundedCalls;
import photon.server.lifecycle.StateLock;
import photon.server.roles.DaemonInstance;
import photon.server.roles.DaemonRun;
import photon.server.roles.OpenedPipeline;
import photon.server.roles.OwnCertificate;
import photon.server.roles.RegistryRole;
import photon.server.trace.OtlpTraces;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;
import photon.storage.files.StreamFiles;

/**
 * Looks at the machine on which a daemon is to run, and at what it will meet there. Starts nothing
 * and writes nothing.
 */
public final class DeploymentCheck {
    private final ConfigLoader.Loaded loaded;
    private final DeploymentConfig deployment;
    private final DaemonInstance daemon;
    private final FileStore files;
    private final Path timesync;
    private final Duration patience;
    private final Clock clock;
    private final List<CheckLine> lines = new ArrayList<>();

    /**
     * @param timesync the file that systemd-timesyncd touches when it has set the clock
     * @param patience for each server and file system
     */
    public DeploymentCheck(
            ConfigLoader.Loaded loaded,
            DeploymentConfig deployment,
            DaemonInstance daemon,
            FileStore files,
            Path timesync,
            Duration patience,
            Clock clock) {
        this.loaded = loaded;
        this.deployment = deployment;
        this.daemon = daemon;
        this.files = files;
        this.timesync = timesync;
        this.patience = patience;
        this.clock = clock;
    }

    /** All lines, in the order of the areas. To be called once. */
    public List<CheckLine> run() {
        ports();
        paths();
        Optional<RpcSecurity> security = certificates();
        kept();
        security.ifPresent(this::servers);
        loaded.tracing().ifPresent(this::collector);
        return List.copyOf(lines);
    }

    private void ports() {
        boolean runs = StateLock.isTaken(daemon.lock(deployment));
        for (DaemonInstance.Listens listens : daemon.listens(deployment, loaded.metricsListen())) {
            lines.add(PortRules.of(listens.key(), listens.at(), PortLook.at(listens.at()), runs));
        }
    }

    private void paths() {
        place("deployment.state", deployment.state(), PathRules.Use.OWN);
        if (daemon.role() == DaemonRun.Role.REGISTRY) {
            return;
        }
        if (deployment.sharesState()) {
            place("deployment.shared", deployment.shared(), PathRules.Use.SHARED);
        }
        if (daemon.role() == DaemonRun.Role.JOINER || daemon.role() == DaemonRun.Role.VERIFIER) {
            place("deployment.output", deployment.output(), PathRules.Use.OUTPUT);
        }
    }

    private void place(String key, String place, PathRules.Use use) {
        if (!LocalPath.isUri(place)) {
            lines.add(PathRules.of(key, place, DirectoryLook.at(Path.of(place)), use));
            return;
        }
        Answer<Boolean> exists = ask(() -> files.stat(place) != null);
        lines.add(PathRules.ofUri(key, place, exists.value().orElse(false), exists.trouble()));
    }

    /** Empty: no server can be asked. */
    private Optional<RpcSecurity> certificates() {
        RpcSecurity security;
        try {
            security = RpcSecurity.of(loaded.security(), loaded.datacenters(), clock);
        } catch (ConfigException e) {
            e.problems().forEach(problem -> lines.add(CertificateRules.unusable(problem)));
            return Optional.empty();
        }
        if (security.files().isEmpty()) {
            String mode = loaded.security().mode().name().toLowerCase(Locale.ROOT);
            lines.add(CertificateRules.none(mode.replace('_', '-')));
            return Optional.of(security);
        }
        TlsFiles tls = security.files().get();
        lines.addAll(
                CertificateRules.of(
                        new CertificateRules.Certificate(
                                tls.identity().toString(),
                                tls.hosts().stream().map(DeploymentCheck::usual).toList(),
                                wrongHolder(security),
                                tls.distrust(),
                                tls.expiry(),
                                tls.expiresBefore()),
                        reachedAs(),
                        clock.instant()));
        return Optional.of(security);
    }

    private Optional<String> wrongHolder(RpcSecurity security) {
        try {
            OwnCertificate.check(security, daemon, deployment);
            return Optional.empty();
        } catch (ConfigException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Metrics are served without TLS, and a server's own listening address may differ. */
    private SortedSet<String> reachedAs() {
        SortedSet<String> hosts = new TreeSet<>();
        if (daemon.role() == DaemonRun.Role.REGISTRY) {
            deployment.registry().stream()
                    .filter(replica -> replica.name().equals(daemon.name()))
                    .forEach(
                            replica -> {
                                hosts.add(usual(replica.raft().host()));
                                hosts.add(usual(replica.service().host()));
                            });
        } else {
            daemon.listens(deployment, Optional.empty())
                    .forEach(listens -> hosts.add(usual(listens.at().host())));
        }
        return hosts;
    }

    /** An address may be written in several ways, and a certificate has another than a person. */
    private static String usual(String host) {
        String bare = host.replaceAll("^\\[|]$", "");
        return InetAddresses.isInetAddress(bare)
                ? InetAddresses.toAddrString(InetAddresses.forString(bare))
                : host;
    }

    private static ClockRules clockRules() {
        return new ClockRules(ChronyClock.BOUND_WITHOUT, BatchLimits.DEFAULT_MAX_SKEW);
    }

    private void kept() {
        IntervalClock known = RegistryRole.clock(deployment.clock());
        ClockState state = known.state();
        if (known instanceof ChronyClock chrony) {
            chrony.close();
        }
        boolean votes =
                daemon.role() == DaemonRun.Role.REGISTRY
                        && loaded.pipeline().retention().isPresent();
        lines.add(clockRules().kept(state, timesync.toFile().exists(), votes));
    }

    private void servers(RpcSecurity security) {
        List<StatusPoll.Answer> answers =
                new StatusPoll(patience, security)
                        .askOnly(
                                deployment.registry().stream()
                                        .filter(replica -> !isItself(replica))
                                        .map(DeploymentConfig.RegistryReplica::service)
                                        .toList());
        answers.forEach(
                answer ->
                        lines.add(
                                clockRules()
                                        .beside(
                                                "registry server " + answer.asked(),
                                                answer.clock().stream()
                                                        .mapToLong(ClockLook::aheadMicros)
                                                        .findFirst(),
                                                answer.trouble())));
        retention(answers);
    }

    /** Only these two trace. */
    private void collector(TracingConfig tracing) {
        if (daemon.role() != DaemonRun.Role.DISPATCHER && daemon.role() != DaemonRun.Role.JOINER) {
            return;
        }
        try {
            lines.add(
                    TracingRules.of(
                            tracing.endpoint().toString(), OtlpTraces.trouble(tracing, patience)));
        } catch (ConfigException e) {
            e.problems().forEach(problem -> lines.add(TracingRules.unusable(problem)));
        }
    }

    private boolean isItself(DeploymentConfig.RegistryReplica replica) {
        return daemon.role() == DaemonRun.Role.REGISTRY && replica.name().equals(daemon.name());
    }

    private void retention(List<StatusPoll.Answer> answers) {
        Optional<Duration> configured = loaded.pipeline().retention();
        String name = loaded.pipeline().pipeline();
        Optional<RetentionRules.Held> held = held(answers, name);
        lines.add(
                RetentionRules.ofRegistry(
                        configured,
                        held,
                        held.flatMap(
                                known ->
                                        OpenedPipeline.retentionDiffers(
                                                configured, known.retention(), name))));
        if (daemon.role() == DaemonRun.Role.REGISTRY || daemon.role() == DaemonRun.Role.JOINER) {
            return;
        }
        Answer<Optional<Instant>> primary = ask(() -> oldest(loaded.pipeline().primary()));
        Answer<Optional<Instant>> foreign = ask(() -> oldest(loaded.pipeline().foreign()));
        lines.addAll(
                RetentionRules.ofLogs(
                        held.map(RetentionRules.Held::retention).orElse(configured),
                        new RetentionRules.Logs(
                                primary.value().flatMap(found -> found), primary.trouble()),
                        new RetentionRules.Logs(
                                foreign.value().flatMap(found -> found), foreign.trouble()),
                        clock.instant()));
    }

    private static Optional<RetentionRules.Held> held(
            List<StatusPoll.Answer> answers, String pipeline) {
        return RegistryView.of(answers)
                .pipeline(pipeline)
                .map(known -> known.getSettings().getRetentionMicros())
                .map(
                        micros ->
                                new RetentionRules.Held(
                                        micros == 0
                                                ? Optional.empty()
                                                : Optional.of(Duration.of(micros, MICROS))));
    }

    private Optional<Instant> oldest(StreamConfig stream) throws IOException {
        return StreamFiles.now(files, stream).stream()
                .min(Comparator.comparingLong(FileInfo::modifiedMillis))
                .map(file -> Instant.ofEpochMilli(file.modifiedMillis()));
    }

    /**
     * @param trouble why there is no value; empty with one
     */
    private record Answer<T>(Optional<T> value, String trouble) {}

    /** What a file system is asked. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws IOException;
    }

    private <T> Answer<T> ask(Question<T> question) {
        try (BoundedCalls calls = new BoundedCalls(patience)) {
            Optional<Answer<T>> answer =
                    calls.call(
                            () -> {
                                try {
                                    return new Answer<>(Optional.of(question.ask()), "");
                                } catch (IOException e) {
                                    return new Answer<>(Optional.empty(), IoText.of(e));
                                }
                            });
            return answer.orElseGet(
                    () ->
                            new Answer<>(
                                    Optional.empty(),
                                    "no answer within %d ms".formatted(patience.toMillis())));
        } catch (ConfigException | FailedException e) {
            return new Answer<>(
                    Optional.empty(), Objects.requireNonNullElse(e.getMessage(), e.toString()));
        }
    }
}
