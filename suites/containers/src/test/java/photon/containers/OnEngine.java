package photon.containers;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/** Skips tests where no container engine answers, and says so. */
public class OnEngine implements ExecutionCondition {
    private static boolean said;

    @Override
    public final ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String missing =
                DockerClientFactory.instance().isDockerAvailable()
                        ? ""
                        : "no container engine answers: start Docker, or set DOCKER_HOST to the socket of an engine on this machine";
        if (missing.isEmpty()) {
            missing = Images.missing();
        }
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("a container engine answers");
        }
        if (!System.getProperty("photon.images", "").isEmpty()) {
            throw new IllegalStateException("Expected to run containers, but " + missing);
        }
        say("not run: the tests in containers, since " + missing);
        return ConditionEvaluationResult.disabled(missing);
    }

    /** Once: Maven prints no reasons of its own. */
    private static synchronized void say(String text) {
        if (!said) {
            System.err.println(text);
            said = true;
        }
    }
}
