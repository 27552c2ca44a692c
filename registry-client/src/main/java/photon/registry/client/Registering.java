package photon.registry.client;

import com.google.protobuf.ByteString;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import photon.core.id.Incarnation;
import photon.proto.v1.RegisterRequest;
import photon.proto.v1.RegisterResponse;
import photon.registry.api.ControlClient.Registration;
import photon.registry.api.FeatureLevelTooLowException;
import photon.registry.api.NotReportedException;
import photon.registry.api.RegistrationRefusedException;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RetiredDatacenter;
import photon.registry.api.RollRefusedException;

/** How an incarnation is asked for, and what a refusal says to people. */
final class Registering {
    /** Of the registry, from which on tokens may tell their kind. */
    private static final int UNMATCHED_KIND_LEVEL = 4;

    /** Beyond it an operator raises the level. */
    private static final int RAISED_BY_OPERATOR = 3;

    private Registering() {}

    static RegisterRequest request(Registration registration) {
        RegisterRequest.Builder request =
                RegisterRequest.newBuilder()
                        .setPipeline(RegistryProtos.bytes(registration.pipeline()))
                        .setSlotName(registration.slotName())
                        .setNonce(
                                ByteString.copyFrom(
                                        HexFormat.of().parseHex(registration.nonceHex())))
                        .setAddress(registration.address())
                        .setProcessId(registration.processId())
                        .setStartedMicros(registration.startedMicros())
                        .setIdentityFingerprint(registration.identityFingerprint())
                        .setOutputId(registration.outputId())
                        .setUsesUnmatchedKind(registration.usesUnmatchedKind());
        registration
                .rollsFrom()
                .ifPresent(from -> request.setRollsFrom(RegistryProtos.incarnation(from)));
        return request.build();
    }

    /** Null if it is registered as it has asked. */
    static @Nullable RuntimeException refusal(Registration registration, RegisterResponse answer) {
        boolean registered = answer.getVerdict() == RegisterResponse.Verdict.REGISTERED;
        if (registered && (answer.getUnmatchedKind() || !registration.usesUnmatchedKind())) {
            return null;
        }
        if (answer.getVerdict() == RegisterResponse.Verdict.ROLLS_FROM_NOT_LIVE) {
            return new RollRefusedException(
                    "Slot %s was refused: incarnation %s, which it rolls from, is not live"
                            .formatted(
                                    registration.slotName(),
                                    registration
                                            .rollsFrom()
                                            .map(Incarnation::toString)
                                            .orElse("none")));
        }
        if (registered || answer.getVerdict() == RegisterResponse.Verdict.FEATURE_LEVEL_TOO_LOW) {
            return new FeatureLevelTooLowException(
                    "Slot %s was refused: unmatched.upgrade needs feature level %d, and the registry stands at %s"
                            .formatted(
                                    registration.slotName(),
                                    UNMATCHED_KIND_LEVEL,
                                    level(answer.getFeatureLevel())));
        }
        if (answer.getVerdict() == RegisterResponse.Verdict.NOT_REPORTED) {
            return new NotReportedException(
                    "Slot %s was refused: the registry was restored from a backup, and datacenter %s has not reported what it had published: run 'photon registry report' there"
                            .formatted(registration.slotName(), answer.getHeld()));
        }
        return new RegistrationRefusedException(
                "Slot " + registration.slotName() + " was refused: " + why(registration, answer));
    }

    /**
     * @param level 0: a server of an earlier version has answered, which does not know what it was
     *     asked. What it has issued commits nothing
     */
    private static String level(int level) {
        if (level == 0) {
            return "an earlier one: upgrade its servers, and run 'photon upgrade finalize'";
        }
        return level < RAISED_BY_OPERATOR
                ? level + ": 'photon upgrade status' says which server holds it back"
                : level + ": run 'photon upgrade finalize'";
    }

    /** Each says what to do. */
    private static String why(Registration registration, RegisterResponse answer) {
        return switch (answer.getVerdict()) {
            case UNKNOWN_PIPELINE ->
                    "the registry does not know pipeline %s: it is another registry, or one that has lost its disks. Use the registry of the earlier runs"
                            .formatted(registration.pipeline());
            case PIPELINE_DROPPED ->
                    "pipeline %s of UUID %s was permanently dropped from the registry. Use another state and output directory for a new pipeline of this name"
                            .formatted(answer.getHeld(), registration.pipeline());
            case OTHER_IDENTITY ->
                    "id or timestamp of a stream is not what it was when the pipeline was made; events already joined would be joined again. Set them as they were, or give the pipeline another name, with state and output directories of its own";
            case OTHER_OUTPUT ->
                    "its output directory is not the one of its datacenter, whose _photon.json has the outputId %s: start it with the state and output directories of its datacenter"
                            .formatted(answer.getHeld());
            case DATACENTER_RETIRED -> RetiredDatacenter.of(answer.getRetired()).refusal();
            default -> "the registry says " + answer.getVerdict();
        };
    }
}
