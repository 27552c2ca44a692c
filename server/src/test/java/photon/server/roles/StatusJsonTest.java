package photon.server.roles;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import photon.core.id.Incarnation;
import photon.dispatcher.state.DispatcherStatus;
import photon.joiner.JoinerStatus;
import photon.joiner.adapters.AdapterFingerprint;
import photon.joiner.incarnation.LifeState;
import photon.verifier.repair.RepairStatus;

class StatusJsonTest {
    private static final AdapterFingerprint ADAPTER =
            new AdapterFingerprint(
                    "com.example.A",
                    "1.2",
                    "00",
                    List.of(new AdapterFingerprint.Jar("/a.jar", "ff")));

    private static JoinerStatus joiner(Optional<Incarnation> incarnation) {
        return new JoinerStatus(
                LifeState.SERVING,
                1,
                2,
                3,
                4,
                13,
                15,
                5,
                6,
                14,
                7,
                incarnation,
                Optional.empty(),
                9,
                8,
                "why",
                12,
                0,
                false);
    }

    @Test
    void aJoinerTellsItsIncarnationAsItsFilesAreNamed() {
        JsonNode status =
                StatusJson.of(
                        joiner(Optional.of(new Incarnation(3, 17))),
                        new TreeMap<>(Map.of(20L, 5L, 3L, 1L)),
                        Map.of("commit", new TreeMap<>(Map.of(9L, 2L))),
                        ADAPTER);
        assertThat(status.toString())
                .isEqualTo(
                        "{\"state\":\"SERVING\",\"admitted\":1,\"admittedBytes\":2,\"inFlight\":3,\"joined\":4,\"unmatched\":13,\"upgraded\":15,"
                                + "\"joinedElsewhere\":5,\"wastedAttempts\":6,\"lookupsMoved\":14,\"unpublishedRecords\":7,"
                                + "\"incarnation\":\"3-17\",\"draining\":null,\"rolls\":9,\"restarts\":8,\"lastTrouble\":\"why\",\"tokenBytes\":12,\"adapterFailures\":0,\"adapterBraked\":false,"
                                + "\"stages\":{\"commit\":{\"9\":2}},\"durableDelay\":{\"3\":1,\"20\":5},"
                                + "\"adapter\":{\"class\":\"com.example.A\",\"version\":\"1.2\",\"fingerprint\":\"%s\",\"optionsSha256\":\"00\",\"jars\":[{\"path\":\"/a.jar\",\"sha256\":\"ff\"}]}}"
                                        .formatted(ADAPTER.digest()));
        assertThat(
                        StatusJson.of(joiner(Optional.empty()), Map.of(), Map.of(), ADAPTER)
                                .get("incarnation")
                                .isNull())
                .isTrue();
    }

    @Test
    void theOthersTellTheirRecordsAsTheyAre() {
        assertThat(
                        StatusJson.of(DispatcherStatus.NOTHING)
                                .get("newestJoinedForOthersMicros")
                                .asLong())
                .isZero();
        RepairStatus repair = new RepairStatus(1, 2, 0, 3, 4, List.of("look"), 5, List.of(), true);
        assertThat(StatusJson.of(repair).get("alarms").get(0).asText()).isEqualTo("look");
    }
}
