package photon.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares objects with Kubernetes' API, by classes that are generated from the schemas of the API:
 * each field must be one that the API has, with a value of its type.
 */
final class KubernetesApi {
    private static final Map<String, Class<?>> KINDS =
            Map.of(
                    "v1 Namespace", Namespace.class,
                    "v1 ConfigMap", ConfigMap.class,
                    "v1 Service", Service.class,
                    "v1 PersistentVolumeClaim", PersistentVolumeClaim.class,
                    "apps/v1 StatefulSet", StatefulSet.class,
                    "batch/v1 CronJob", CronJob.class,
                    "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class,
                    "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class);

    private static final ObjectMapper STRICT = strict();

    private KubernetesApi() {}

    /** The classes keep fields that they do not know, unless they are not asked to. */
    private static final class WithoutUnknownFields extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }

    private static ObjectMapper strict() {
        JsonMapper.Builder builder =
                JsonMapper.builder()
                        .annotationIntrospector(new WithoutUnknownFields())
                        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
        for (CoercionInputShape shape :
                new CoercionInputShape[] {
                    CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean
                }) {
            builder.withCoercionConfig(
                    LogicalType.Textual, config -> config.setCoercion(shape, CoercionAction.Fail));
        }
        return builder.build();
    }

    /** Fails unless the object is of a kind that is known here, and right. */
    static void check(JsonNode object) {
        String kind = object.path("apiVersion").asText() + " " + object.path("kind").asText();
        assertThat(KINDS).containsKey(kind);
        try {
            Object unused = STRICT.treeToValue(object, KINDS.get(kind));
        } catch (JsonProcessingException e) {
            throw new AssertionError(kind + " is not of the API: " + e.getMessage(), e);
        }
    }
}
