package photon.idregistry.leaders;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.idregistry.control.ControlEntries;
import photon.idregistry.control.ControlState;
import photon.idregistry.shard.ShardEntries;
import photon.idregistry.shard.ShardState;
import photon.proto.v1.OpenPipelineRequest;
import photon.registry.api.RegistryProtos;

/** What a leader appends so that a follower's answer is heard. */
class NothingTest {
    @Test
    void aShardIsAsItWas() {
        ShardState state = new ShardState();
        state.apply(1, ByteBuffer.wrap(ShardEntries.advanceBoundary(7)));
        state.apply(2, ByteBuffer.wrap(ShardEntries.nothing()));
        assertThat(state.boundaryMicros()).isEqualTo(7);
        assertThat(state.ids().count()).isZero();
        assertThat(state.lastIndex()).isEqualTo(2);
    }

    @Test
    void theControlGroupIsAsItWas() {
        ControlState state = new ControlState();
        UUID uuid = new UUID(1, 2);
        state.apply(
                1,
                ByteBuffer.wrap(
                        ControlEntries.openPipeline(
                                OpenPipelineRequest.newBuilder()
                                        .setName("p")
                                        .setUuid(RegistryProtos.bytes(uuid))
                                        .setShards(1)
                                        .build())));
        String before = state.pipelines().toString() + state.audit() + state.dropped();
        state.apply(2, ByteBuffer.wrap(ControlEntries.nothing()));
        assertThat(state.pipelines().toString() + state.audit() + state.dropped())
                .isEqualTo(before);
        assertThat(state.lastIndex()).isEqualTo(2);
    }
}
