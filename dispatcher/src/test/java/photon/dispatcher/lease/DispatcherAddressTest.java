package photon.dispatcher.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import photon.core.loop.ManualLoop;
import photon.core.rpc.HostPort;
import photon.storage.files.MemoryFileStore;
import photon.storage.lease.Node;
import photon.storage.lease.PartitionLeases;
import photon.storage.state.StateHome;
import photon.storage.state.StatePartitions;

class DispatcherAddressTest {
    private static final HostPort CONFIGURED = new HostPort("configured", 1);

    private final MemoryFileStore files = new MemoryFileStore();
    private final DispatcherAddress address = new DispatcherAddress(files, "/state", CONFIGURED);
    private final ManualLoop loop = new ManualLoop();

    /** Takes what it may, and does nothing with it. */
    private static final class Idle implements PartitionLeases.Work {
        @Override
        public long lastNumber(int partition) {
            return 0;
        }

        @Override
        public void begin(int partition, long number, Runnable failed) {}

        @Override
        public void end(int partition, Runnable ended) {
            ended.run();
        }
    }

    private void join(StatePartitions state, String name) {
        PartitionLeases.join(
                loop,
                files,
                state,
                new Node(name, name + ":7402", 1, PartitionLeases.TERM.toMillis()),
                new SplittableRandom(1),
                new Idle(),
                (where, lost) -> {});
    }

    @Test
    void eachOfThoseThatWorkIsFoundInTurn() throws IOException {
        assertThat(address.get()).isEqualTo(CONFIGURED);
        UUID identity = new UUID(1, 2);
        StateHome home = new StateHome(files, "/state");
        home.identity();
        StatePartitions state = new StatePartitions(home.path(identity), 4);
        home.create(identity, new UUID(3, 4), "east", path -> state.make(files));
        assertThat(address.get()).isEqualTo(CONFIGURED);
        assertThat(PartitionOwners.read(files, "/state"))
                .hasSize(4)
                .allMatch(owner -> owner.address().isEmpty() && owner.number() == 0);
        join(state, "a");
        join(state, "b");
        for (int second = 0; second < 60; second++) {
            loop.advance(Duration.ofSeconds(1));
        }
        List<HostPort> found = Stream.generate(address).limit(4).toList();
        HostPort a = new HostPort("a", 7402);
        HostPort b = new HostPort("b", 7402);
        assertThat(found).containsOnly(a, b);
        assertThat(found.get(1)).isNotEqualTo(found.get(0));
        assertThat(PartitionOwners.read(files, "/state"))
                .allMatch(owner -> owner.number() > 0)
                .filteredOn(owner -> owner.address().equals("a:7402"))
                .hasSize(2);
    }
}
