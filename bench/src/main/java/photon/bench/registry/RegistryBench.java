package photon.bench.registry;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import photon.core.error.FailedException;
import photon.core.rpc.HostPort;
import photon.registry.api.IdRegistry;
import photon.server.lifecycle.Shutdown;
import photon.testbed.process.EndedEarlyException;
import photon.testbed.process.Fleet;
import photon.testbed.process.Link;

/** One run, from its first process to its result. */
final class RegistryBench {
    private RegistryBench() {}

    /** Told what a run is at; for people. */
    interface Progress {
        void at(String what);
    }

    /**
     * Runs in a directory that must be empty.
     *
     * @throws EndedEarlyException if a signal came
     * @throws FailedException if a part of it cannot run
     */
    static BenchResult run(
            RegistryBenchOptions options, Path work, Shutdown shutdown, Progress progress)
            throws IOException {
        BenchLayout layout = new BenchLayout(work, options, new SecureRandom());
        layout.write();
        List<Link> links = new ArrayList<>();
        try (Fleet fleet = new Fleet(layout::command, layout.logs())) {
            for (int i = 0; layout.isDelayed() && i < options.replicas(); i++) {
                links.add(
                        new Link(
                                address(layout.raft(i)),
                                address(layout.raftListen(i)),
                                options.wanDelay()));
            }
            return run(options, layout, new BenchReplicas(fleet, layout, shutdown), progress);
        } finally {
            for (Link link : links) {
                link.close();
            }
        }
    }

    private static InetSocketAddress address(HostPort at) {
        return new InetSocketAddress(at.host(), at.port());
    }

    private static BenchResult run(
            RegistryBenchOptions options,
            BenchLayout layout,
            BenchReplicas replicas,
            Progress progress)
            throws IOException {
        progress.at("starting %d replicas".formatted(options.replicas()));
        replicas.start();
        List<LoadConnection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < options.connections(); i++) {
                connections.add(LoadConnection.to(layout.services(0)));
            }
            BenchIds ids = new BenchIds(connections.get(0).register(options.shards()));
            List<IdRegistry> registries =
                    connections.stream().map(LoadConnection::registry).toList();
            Referee referee = new Referee(ids);
            BenchResult result = new BenchResult(options);
            CommitPhase commits =
                    new CommitPhase(options, replicas, layout, registries, ids, referee, progress);
            if (options.preload() > 0) {
                commits.preload(result);
            }
            long oldEnd = ids.end();
            commits.run(result);
            int follower = (replicas.leader() + options.replicas() - 1) % options.replicas();
            if (options.lookups().isPresent()) {
                progress.at("looking up");
                new LookupPhase(options, replicas, layout)
                        .run(follower, ids, referee, oldEnd, result);
            }
            if (options.preload() > 0 && !options.drop()) {
                progress.at("killing a replica");
                new RecoveryPhase(replicas, layout).run(follower, ids, referee, oldEnd, result);
            }
            result.judged(referee);
            return result;
        } finally {
            connections.forEach(LoadConnection::close);
        }
    }
}
