package photon.idregistry.client;

import photon.proto.v1.DescribePipelineResponse;

/**
 * What a server said of a pipeline: where its clients begin. What has changed since, they are told
 * by the shards.
 */
public final class PipelineDescription {
    final DescribePipelineResponse described;

    PipelineDescription(DescribePipelineResponse described) {
        this.described = described;
    }
}
