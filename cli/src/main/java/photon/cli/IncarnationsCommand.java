package photon.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import photon.core.config.PipelineConfig;
import photon.core.error.FailedException;
import photon.core.id.SlotPair;
import photon.core.time.ChronyClock;
import photon.core.time.SystemClock;
import photon.proto.v1.PipelineStatus;
import photon.registry.admin.IncarnationsText;
import photon.registry.admin.LeaderCalls;
import photon.registry.admin.RegistryView;
import photon.registry.admin.ServerCalls;
import photon.registry.api.ControlClient.IncarnationInfo;
import photon.registry.api.ControlClient.IncarnationState;
import photon.registry.api.ControlClient.Repair;
import photon.registry.api.RegistryProtos;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The incarnations of a pipeline's joiners, for when one holds the boundary back. */
@Command(
        name = "incarnations",
        mixinStandardHelpOptions = true,
        description =
                "Lists the incarnations of a pipeline's joiners, fences one, and gives up one that cannot be repaired.",
        subcommands = {
            IncarnationsCommand.ListThem.class,
            IncarnationsCommand.Fence.class,
            IncarnationsCommand.GiveUp.class
        })
final class IncarnationsCommand {
    /** One pipeline of a registry. */
    static final class OfPipeline {
        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @CommandLine.Mixin private PipelineOption named = new PipelineOption();

        @CommandLine.Mixin private OutputOption output = new OutputOption();

        RegistryView view() {
            return registry.view();
        }

        PipelineStatus of(RegistryView view) {
            return PipelinesCommand.Registry.pipeline(
                    view,
                    named.name(registry.where().pipeline().map(PipelineConfig::pipeline), view));
        }

        static UUID uuid(PipelineStatus pipeline) {
            UUID uuid = RegistryProtos.uuid(pipeline.getUuid());
            if (uuid == null) {
                throw new FailedException(
                        "the registry reports no UUID for pipeline %s"
                                .formatted(pipeline.getName()));
            }
            return uuid;
        }

        /** Of slots whose name begins so, as the control group has them. */
        List<IncarnationInfo> incarnations(RegistryView view, UUID pipeline, String slot) {
            return registry.askControl(view, control -> control.incarnations(pipeline, slot));
        }
    }

    /** All, or the open ones. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = {
                "Lists incarnations: slot and generation, state, whether each is fenced, when it was last renewed, and where it holds the boundary.",
                "The verifier of a datacenter repairs the datacenter's incarnations that are open and not live."
            },
            exitCodeList = {
                "0:listed",
                "1:the pipeline does not exist, or the registry does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry incarnations list --all --config photon.yaml")
    static final class ListThem implements Callable<Integer> {
        @CommandLine.Mixin private OfPipeline of = new OfPipeline();

        @Option(names = "--all", description = "Also list closed and repaired incarnations.")
        private boolean all;

        @Override
        public Integer call() {
            RegistryView view = of.view();
            PipelineStatus pipeline = of.of(view);
            List<IncarnationInfo> shown =
                    of.incarnations(view, OfPipeline.uuid(pipeline), "").stream()
                            .filter(info -> all || info.state() == IncarnationState.OPEN)
                            .toList();
            of.output.print(
                    () -> IncarnationsText.of(view, pipeline, shown, nowMillis()),
                    () -> IncarnationsText.json(pipeline, shown).toPrettyString() + "\n");
            return CommandLine.ExitCode.OK;
        }

        private static long nowMillis() {
            return new SystemClock(ChronyClock.BOUND_WITHOUT).now().latestMicros() / 1_000;
        }
    }

    /** Of a slot that does not come back. */
    @Command(
            name = "fence",
            mixinStandardHelpOptions = true,
            description = {
                "Fences the live incarnations of a joiner that does not come back, in both of its slots, so that its datacenter repairs them.",
                "If the joiner is alive after all, it commits and writes nothing more, and starts over.",
                "The datacenter's verifier does the same by itself after repair.fenceAfter, 30s by default."
            },
            exitCodeList = {
                "0:fenced in every group, now or before",
                "1:the pipeline or the slot does not exist, or the registry does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry incarnations fence east/joiner-0 --config photon.yaml")
    static final class Fence implements Callable<Integer> {
        @CommandLine.Mixin private OfPipeline of = new OfPipeline();

        @Parameters(paramLabel = "SLOT", description = "The joiner's slot, such as east/joiner-0.")
        private String slot = "";

        @Override
        public Integer call() {
            RegistryView view = of.view();
            UUID pipeline = OfPipeline.uuid(of.of(view));
            SlotPair pair = SlotPair.of(slot);
            List<IncarnationInfo> newest =
                    Stream.of(pair.first(), pair.second())
                            .flatMap(
                                    one ->
                                            of.incarnations(view, pipeline, one).stream()
                                                    .filter(info -> info.slotName().equals(one))
                                                    .max(
                                                            Comparator.comparing(
                                                                    IncarnationInfo::incarnation))
                                                    .stream())
                            .toList();
            if (newest.isEmpty()) {
                throw new FailedException(
                        "slot %s has no incarnation: 'photon registry incarnations list' shows the slots"
                                .formatted(slot));
            }
            // Also if it is fenced already: an earlier command may not have reached every group.
            newest.forEach(
                    info ->
                            of.registry.askControl(
                                    view, control -> control.fence(pipeline, info.incarnation())));
            of.output.print(
                    () -> newest.stream().map(Fence::text).collect(Collectors.joining()),
                    () -> json(newest) + "\n");
            return CommandLine.ExitCode.OK;
        }

        private static String text(IncarnationInfo asked) {
            return "%s: %s, last at %s. %s\n"
                    .formatted(
                            asked.fenced() ? "fenced before" : "fenced",
                            IncarnationsText.name(asked),
                            asked.address(),
                            asked.state() == IncarnationState.OPEN
                                    ? "The verifier of its datacenter repairs it"
                                    : "It is " + IncarnationsText.state(asked));
        }

        private ObjectNode json(List<IncarnationInfo> asked) {
            ObjectNode document = new ObjectMapper().createObjectNode().put("slot", slot);
            ArrayNode list = document.putArray("incarnations");
            for (IncarnationInfo info : asked) {
                list.addObject()
                        .put("incarnation", IncarnationsText.name(info))
                        .put("outcome", info.fenced() ? "fenced before" : "fenced")
                        .put("address", info.address());
            }
            return document;
        }
    }

    /** By hand what a repair would have said. */
    @Command(
            name = "give-up",
            mixinStandardHelpOptions = true,
            description = {
                "Gives up an incarnation that cannot be repaired because its datacenter or its output directory is lost.",
                "The events that it had committed and not published are then lost: no datacenter joins them any more, and no ledger has their ids.",
                "Use the command when such an incarnation holds the boundary back. Fence the incarnation first."
            },
            exitCodeList = {
                "0:given up, or already repaired",
                "1:the incarnation does not exist or is live, you did not confirm, or the registry does not answer",
                "2:wrong usage or configuration"
            },
            footer = "  photon registry incarnations give-up east/joiner-0/5 --config photon.yaml")
    static final class GiveUp implements Callable<Integer> {
        @CommandLine.Mixin private OfPipeline of = new OfPipeline();

        @Parameters(
                paramLabel = "SLOT/GENERATION",
                description =
                        "The incarnation as 'photon registry incarnations list' prints it, such as east/joiner-0/5.")
        private String which = "";

        @CommandLine.Mixin private Confirmation confirmation = new Confirmation();

        @Override
        public Integer call() throws IOException {
            RegistryView view = of.view();
            UUID pipeline = OfPipeline.uuid(of.of(view));
            String slot = which.substring(0, Math.max(0, which.lastIndexOf('/')));
            IncarnationInfo info =
                    of.incarnations(view, pipeline, slot).stream()
                            .filter(one -> IncarnationsText.name(one).equals(which))
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new FailedException(
                                                    "there is no incarnation %s: expected SLOT/GENERATION as 'photon registry incarnations list' shows it"
                                                            .formatted(which)));
            if (info.state() != IncarnationState.OPEN) {
                print(
                        "%s is already %s".formatted(which, IncarnationsText.state(info)),
                        info.state());
                return CommandLine.ExitCode.OK;
            }
            if (!info.fenced()) {
                throw new FailedException(
                        "not given up: %s is live. Fence its slot first".formatted(which));
            }
            of.output.say(
                    "%s: the events that it had committed and not published will be permanently lost"
                            .formatted(which));
            if (!confirmation.isGiven(slot, "Type the slot's name to give it up: ")) {
                throw new FailedException(
                        "not given up: expected the slot's name %s as confirmation, or --yes"
                                .formatted(slot));
            }
            int life = life(view);
            IncarnationState stands =
                    of.registry.askControl(
                            view,
                            control ->
                                    control.markRepaired(
                                            pipeline,
                                            info.incarnation(),
                                            new Repair(
                                                    life,
                                                    info.rows().timesReopened(),
                                                    Optional.empty())));
            print(
                    stands == IncarnationState.OPEN
                            ? "not given up: it is not fenced"
                            : "given up: it no longer holds the boundary back",
                    stands);
            return stands == IncarnationState.OPEN
                    ? CommandLine.ExitCode.SOFTWARE
                    : CommandLine.ExitCode.OK;
        }

        private void print(String outcome, IncarnationState stands) {
            of.output.print(
                    () -> outcome + "\n",
                    () ->
                            new ObjectMapper()
                                            .createObjectNode()
                                            .put("incarnation", which)
                                            .put("outcome", outcome)
                                            .put("state", stands.name().toLowerCase(Locale.ROOT))
                                    + "\n");
        }

        /** Which registry it is that has listed the incarnation: 0 unless it was restored. */
        private int life(RegistryView view) {
            try (ServerCalls calls = new ServerCalls(of.registry.where().security())) {
                return RestoreCommand.Steps.of(of.registry, view, calls).look().getSlotsBelow();
            } catch (LeaderCalls.UndecidedException e) {
                throw new FailedException("not given up: " + e.getMessage());
            }
        }
    }
}
