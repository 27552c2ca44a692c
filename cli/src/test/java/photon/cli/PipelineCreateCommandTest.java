package photon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.proto.v1.OpenPipelineRequest;
import photon.proto.v1.OpenPipelineResponse;
import photon.proto.v1.Pipeline;
import photon.registry.api.RegistryProtos;

class PipelineCreateCommandTest {
    private static final UUID OURS = new UUID(1, 2);

    private static boolean isMade(UUID held, boolean made) {
        return PipelineCreateCommand.isMade(
                OpenPipelineRequest.newBuilder().setUuid(RegistryProtos.bytes(OURS)).build(),
                OpenPipelineResponse.newBuilder()
                        .setMade(made)
                        .setPipeline(Pipeline.newBuilder().setUuid(RegistryProtos.bytes(held)))
                        .build());
    }

    @Test
    void whatItsFirstCopyHasMadeIsMade() {
        assertThat(isMade(OURS, true)).isTrue();
        assertThat(isMade(OURS, false)).as("the answer to a second copy").isTrue();
        assertThat(isMade(new UUID(3, 4), false)).as("somebody else's").isFalse();
    }
}
