package photon.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import photon.core.error.FailedException;
import photon.proto.v1.ReshardAttempt;
import photon.registry.admin.RegistryView;
import photon.registry.admin.ReshardDocument;
import photon.registry.admin.ReshardOperator;
import photon.registry.admin.ReshardState;
import photon.registry.api.RegistryProtos;
import photon.registry.api.RegistryUnavailableException;
import photon.registry.api.ReshardClient.End;
import photon.registry.api.ReshardClient.Result;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks for an abort of a reshard. */
@Command(
        name = "cancel",
        mixinStandardHelpOptions = true,
        description = {
            "Asks the control group to abort the reshard attempt that is under way, or the one that --attempt names.",
            "The attempt may commit first: the answer says which. If no attempt is under way, the command prints the outcome of the last one."
        },
        exitCodeList = {
            "0:aborted, now or before",
            "1:the attempt committed first or does not exist, or the outcome is not known in time",
            "2:wrong usage or configuration"
        },
        footer = "  photon registry reshard cancel --config photon.yaml")
final class ReshardCancelCommand implements Callable<Integer> {
    @Mixin private ReshardCommand.Common common = new ReshardCommand.Common();

    @Option(
            names = "--attempt",
            paramLabel = "N",
            description =
                    "Number of the attempt. Default: the attempt that is under way, otherwise the last one.")
    private @Nullable Long number;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "How long to wait for the registry's answer; default 30s.")
    private Duration patience = Duration.ofSeconds(30);

    /** What became of an attempt. */
    private record Ended(long attempt, Result result) {}

    @Override
    public Integer call() {
        RegistryView view = common.look();
        ReshardState state = common.state(view);
        UUID pipeline = Objects.requireNonNull(RegistryProtos.uuid(state.pipeline().getUuid()));
        try (ReshardOperator operator =
                new ReshardOperator(common.addresses(view), common.pipeline(), common.security())) {
            Ended ended =
                    number != null
                            ? new Ended(number, operator.cancel(pipeline, number, patience))
                            : cancel(operator, pipeline, state, patience);
            print(state, ended);
            return ended.result().end() == End.ABORTED
                    ? CommandLine.ExitCode.OK
                    : CommandLine.ExitCode.SOFTWARE;
        } catch (RegistryUnavailableException e) {
            throw new FailedException(
                    e.getMessage()
                            + ": the registry may still abort the attempt. Run the command again: repeating it is safe");
        }
    }

    /** If none is open as far as is known here, one that is newer may be. */
    private static Ended cancel(
            ReshardOperator operator, UUID pipeline, ReshardState state, Duration patience) {
        if (state.pipeline().getOpenAttemptsCount() > 0) {
            long open = state.pipeline().getOpenAttempts(0);
            return new Ended(open, operator.cancel(pipeline, open, patience));
        }
        long last = state.attempts().stream().mapToLong(ReshardAttempt::getNumber).max().orElse(0);
        Ended ended = new Ended(last, operator.cancel(pipeline, last, patience));
        while (true) {
            long next = ended.attempt() + 1;
            Result newer = operator.cancel(pipeline, next, patience);
            if (newer.end() == End.REFUSED) {
                return ended;
            }
            ended = new Ended(next, newer);
        }
    }

    private void print(ReshardState state, Ended ended) {
        Result result = ended.result();
        String end = result.end().name().toLowerCase(Locale.ROOT);
        ObjectNode document = ReshardDocument.of(state.with(ended.attempt(), result.end()));
        document.put("attempt", ended.attempt()).put("end", end);
        common.print(
                ended.attempt() == 0
                        ? "the pipeline never had a reshard attempt\n"
                        : "attempt %d: %s\n"
                                .formatted(
                                        ended.attempt(),
                                        result.end() == End.REFUSED ? result.why() : end),
                document);
    }
}
