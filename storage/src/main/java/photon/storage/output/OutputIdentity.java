package photon.storage.output;

/**
 * To whom an output directory belongs (docs/protocol.md section 1).
 *
 * @param outputId the directory's own random id
 */
public record OutputIdentity(
        String pipelineUuid, String identityFingerprint, String datacenter, String outputId) {}
