package photon.idregistry.control;

import java.util.List;
import java.util.UUID;
import photon.proto.v1.Pipeline;
import photon.proto.v1.PipelineSettings;
import photon.proto.v1.RetiredDatacenter;
import photon.registry.api.RegistryProtos;
import photon.registry.api.ShardMap;

/**
 * A pipeline as it stands.
 *
 * @param dropped epochs that the map does not have any more, in order
 * @param limitMicros no boundary of its shards may be beyond; {@link Long#MIN_VALUE}: nor is there
 *     one
 * @param wantedMicros where the limit would be if no incarnation held it back, or MIN_VALUE
 * @param datacenters of which something was ever registered, in order
 * @param retired those of them that take part no more, in order
 */
public record PipelineView(
        UUID uuid,
        String name,
        String identityFingerprint,
        ShardMap map,
        PipelineSettings settings,
        long fenceVersion,
        ReshardView reshards,
        List<ShardMap.Epoch> dropped,
        long limitMicros,
        long wantedMicros,
        List<String> datacenters,
        List<RetiredDatacenter> retired) {
    /** As it travels, without the servers, which only a server knows. */
    public Pipeline toProto() {
        return Pipeline.newBuilder()
                .setUuid(RegistryProtos.bytes(uuid))
                .setName(name)
                .setIdentityFingerprint(identityFingerprint)
                .setMap(map.toProto())
                .setSettings(settings)
                .addAllDatacenters(datacenters)
                .addAllRetired(retired)
                .build();
    }
}
