package photon.cli;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import photon.core.error.FailedException;
import photon.core.id.SlotPair;
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
                "Lists the incarnations of a pipeline's joiners, fences one, or gives one up that cannot be repaired.",
        subcommands = {
            IncarnationsCommand.ListThem.class,
            IncarnationsCommand.Fence.class,
            IncarnationsCommand.GiveUp.class
        })
final class IncarnationsCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    /** Called without a subcommand. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(
                spec.commandLine(), "Expected a command: list, fence or give-up");
    }

    /** One pipeline of a registry. */
    static final class OfPipeline {
        @CommandLine.Mixin
        private PipelinesCommand.Registry registry = new PipelinesCommand.Registry();

        @Option(
                names = "--pipeline",
                required = true,
                paramLabel = "NAME",
                description = "The pipeline's name.")
        private String name = "";

        RegistryView view() {
            return registry.view();
        }

        PipelineStatus of(RegistryView view) {
            return PipelinesCommand.Registry.pipeline(view, name);
        }

        static UUID uuid(PipelineStatus pipeline) {
            UUID uuid = RegistryProtos.uuid(pipeline.getUuid());
            if (uuid == null) {
                throw new FailedException(
                        "the registry tells no UUID of pipeline %s".formatted(pipeline.getName()));
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
                "Lists incarnations: slot/generation, state, whether it is fenced, when it was heard of last, and what it holds the boundary at.",
                "Those that are open and not live are repaired by their datacenter's verifier."
            },
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:listed",
                "1:there is no such pipeline, or the registry does not answer",
                "2:wrong usage or configuration"
            })
    static final class ListThem implements Callable<Integer> {
        @CommandLine.Mixin private OfPipeline of = new OfPipeline();

        @Option(names = "--all", description = "Those that are closed or repaired, too.")
        private boolean all;

        @Override
        public Integer call() {
            RegistryView view = of.view();
            PipelineStatus pipeline = of.of(view);
            List<IncarnationInfo> shown =
                    of.incarnations(view, OfPipeline.uuid(pipeline), "").stream()
                            .filter(info -> all || info.state() == IncarnationState.OPEN)
                            .toList();
            System.out.print(IncarnationsText.of(pipeline, shown, System.currentTimeMillis()));
            System.out.flush();
            return CommandLine.ExitCode.OK;
        }
    }

    /** Of a slot that does not come back. */
    @Command(
            name = "fence",
            mixinStandardHelpOptions = true,
            description = {
                "Fences what is live of a joiner that does not come back, in both of its slots, so that its datacenter repairs it.",
                "A joiner that is alive after all commits and writes nothing more, and starts over.",
                "The datacenter's verifier does the same by itself after repair.fenceAfter, 30s by default."
            },
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:fenced in every group, now or before",
                "1:there is no such pipeline or slot, or the registry does not answer",
                "2:wrong usage or configuration"
            })
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
                throw new FailedException("no incarnation of slot %s is known".formatted(slot));
            }
            newest.forEach(info -> fence(view, pipeline, info));
            return CommandLine.ExitCode.OK;
        }

        /**
         * One that is fenced already, too: whoever asked before may not have got to every group.
         */
        private void fence(RegistryView view, UUID pipeline, IncarnationInfo newest) {
            of.registry.askControl(view, control -> control.fence(pipeline, newest.incarnation()));
            System.out.printf(
                    "%s: %s, last at %s. %s%n",
                    newest.fenced() ? "fenced before" : "fenced",
                    IncarnationsText.name(newest),
                    newest.address(),
                    newest.state() == IncarnationState.OPEN
                            ? "The verifier of its datacenter repairs it"
                            : "It is " + IncarnationsText.state(newest));
        }
    }

    /** By hand what a repair would have said. */
    @Command(
            name = "give-up",
            mixinStandardHelpOptions = true,
            description = {
                "Gives up an incarnation that cannot be repaired, since its datacenter or its output directory is lost.",
                "What it had committed and not published is lost then: no datacenter joins these events any more, and no ledger has their ids.",
                "It is the way out when such an incarnation holds the boundary back. Fence it before."
            },
            exitCodeListHeading = "%nExit status:%n",
            exitCodeList = {
                "0:given up, or repaired already",
                "1:there is none, it is live, it was not confirmed, or the registry does not answer",
                "2:wrong usage or configuration"
            })
    static final class GiveUp implements Callable<Integer> {
        @CommandLine.Mixin private OfPipeline of = new OfPipeline();

        @Parameters(
                paramLabel = "SLOT/GENERATION",
                description = "As list shows it, such as east/joiner-0/5.")
        private String which = "";

        @Option(names = "--yes", description = "Without asking for the slot's name.")
        private boolean yes;

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
                                                    "there is no incarnation %s: expected SLOT/GENERATION as list shows it"
                                                            .formatted(which)));
            if (info.state() != IncarnationState.OPEN) {
                System.out.printf("%s is %s already%n", which, IncarnationsText.state(info));
                return CommandLine.ExitCode.OK;
            }
            if (!info.fenced()) {
                throw new FailedException(
                        "not given up: %s is live. Fence its slot before".formatted(which));
            }
            System.out.printf(
                    "%s: what it had committed and not published is lost for good%n", which);
            if (!yes && !PipelinesCommand.confirmed(slot, "Type the slot's name to give it up: ")) {
                throw new FailedException(
                        "not given up: expected the slot's name %s, or --yes".formatted(slot));
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
            System.out.printf(
                    "%s%n",
                    stands == IncarnationState.OPEN
                            ? "not given up: it is not fenced"
                            : "given up: it holds no boundary back any more");
            return stands == IncarnationState.OPEN
                    ? CommandLine.ExitCode.SOFTWARE
                    : CommandLine.ExitCode.OK;
        }

        /** Which registry it is that has listed the incarnation: 0 unless it was restored. */
        private int life(RegistryView view) {
            try (ServerCalls calls = new ServerCalls()) {
                return RestoreCommand.Steps.of(of.registry, view, calls).look().getSlotsBelow();
            } catch (LeaderCalls.UndecidedException e) {
                throw new FailedException("not given up: " + e.getMessage());
            }
        }
    }
}
