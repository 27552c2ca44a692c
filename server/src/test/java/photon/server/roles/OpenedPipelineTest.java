package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import photon.registry.api.ControlClient;

class OpenedPipelineTest {
    private static Optional<String> difference(
            Optional<Duration> configured, Optional<Duration> held) {
        return OpenedPipeline.retentionDiffers(
                configured,
                new ControlClient.Pipeline(new UUID(1, 2), "ads", "f", held, List.of(), List.of()));
    }

    @Test
    void aRetentionThatIsNotTheRegistrysIsTold() {
        assertThat(difference(Optional.of(Duration.ofDays(30)), Optional.of(Duration.ofDays(3))))
                .hasValueSatisfying(
                        text ->
                                assertThat(text)
                                        .contains(
                                                "the registry's retention is 3d",
                                                "the configuration's is 30d",
                                                "photon registry pipelines set ads"));
        assertThat(difference(Optional.of(Duration.ofDays(3)), Optional.empty()))
                .hasValueSatisfying(
                        text -> assertThat(text).contains("the registry's retention is unlimited"));
    }

    @Test
    void theSameRetentionIsNot() {
        assertThat(difference(Optional.of(Duration.ofDays(3)), Optional.of(Duration.ofDays(3))))
                .isEmpty();
        assertThat(difference(Optional.empty(), Optional.empty())).isEmpty();
    }
}
