package photon.registry.admin;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import photon.core.text.Columns;
import photon.proto.v1.ClockSource;
import photon.proto.v1.Epoch;
import photon.proto.v1.PipelineStatus;
import photon.proto.v1.ReplicaRole;
import photon.proto.v1.ReplicaStatus;
import photon.proto.v1.ServerClock;
import photon.proto.v1.ShardStatus;
import photon.proto.v1.SnapshotStatus;

/** The registry's state for people: tables whose columns stand beneath each other. */
public final class StatusText {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final String NOTHING = "-";

    private StatusText() {}

    /**
     * @param millisHere the time of this machine, since 1970
     */
    public static String of(RegistryView view, long millisHere) {
        long nowMillis = view.byItsClocks(millisHere);
        StringBuilder text = new StringBuilder();
        text.append(summary(view)).append("\n\n").append(servers(view));
        for (PipelineStatus pipeline : view.pipelines()) {
            text.append('\n').append(pipeline(pipeline));
        }
        for (GroupView group : view.groups()) {
            text.append('\n').append(group(group, nowMillis));
        }
        return text.toString();
    }

    private static String summary(RegistryView view) {
        long answering = view.servers().stream().filter(RegistryView.Server::answers).count();
        String first =
                "%d of %d servers answer, %s, %s"
                        .formatted(
                                answering,
                                view.servers().size(),
                                counted(view.pipelines().size(), "pipeline"),
                                counted(view.groups().size(), "group"));
        StringBuilder text = new StringBuilder(first);
        if (view.healthy()) {
            text.append(": every group has a leader and a majority");
        }
        view.problems().forEach(problem -> text.append("\nPROBLEM: ").append(problem));
        view.alarms().forEach(alarm -> text.append("\nALARM: ").append(alarm));
        return text.toString();
    }

    static String counted(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String servers(RegistryView view) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SERVER", "SERVICE", "RAFT", "STATE", "CLOCK"));
        for (RegistryView.Server server : view.servers()) {
            long leads =
                    view.groups().stream()
                            .filter(g -> g.leader().filter(server.name()::equals).isPresent())
                            .count();
            rows.add(
                    List.of(
                            server.name().isEmpty() ? "?" : server.name(),
                            server.service(),
                            server.raft().isEmpty() ? NOTHING : server.raft(),
                            server.answers() ? "up, leads " + leads : server.trouble(),
                            server.clock().map(StatusText::clock).orElse(NOTHING)));
        }
        return Columns.of("", rows);
    }

    private static String clock(RegistryView.Clock clock) {
        ServerClock is = clock.is();
        String known =
                is.getSynchronised()
                        ? "%s, within %s"
                                .formatted(
                                        is.getSource() == ClockSource.CLOCK_CHRONY
                                                ? "chrony"
                                                : "configured",
                                        millis(is.getBoundMicros()))
                        : "not synchronised";
        return clock.look().map(look -> known + "; " + beside(look)).orElse(known);
    }

    /** Beside the asking machine's. */
    private static String beside(ClockLook look) {
        return look.maybeEqual()
                ? "as here, give or take " + millis(look.giveOrTakeMicros())
                : millis(Math.abs(look.aheadMicros()))
                        + (look.aheadMicros() < 0 ? " behind" : " ahead");
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%.1f ms", micros / 1_000.0);
    }

    private static String pipeline(PipelineStatus pipeline) {
        StringBuilder text = new StringBuilder();
        text.append(
                "pipeline %s  %s  shard map version %d  retention %s\n"
                        .formatted(
                                pipeline.getName(),
                                RegistryView.uuid(pipeline.getUuid()),
                                pipeline.getMap().getVersion(),
                                PipelinesText.retention(
                                        pipeline.getSettings().getRetentionMicros())));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("EPOCH", "SHARDS", "IDS FROM"));
        for (Epoch epoch : pipeline.getMap().getEpochsList()) {
            rows.add(
                    List.of(
                            String.valueOf(epoch.getNumber()),
                            String.valueOf(epoch.getShards()),
                            epoch.getStartMicros() == Long.MIN_VALUE
                                    ? "the beginning"
                                    : time(epoch.getStartMicros())));
        }
        text.append(Columns.of("  ", rows));
        if (pipeline.getOpenAttemptsCount() > 0) {
            text.append("  reshard attempts under way: ")
                    .append(pipeline.getOpenAttemptsList())
                    .append('\n');
        }
        return text.toString();
    }

    private static String group(GroupView group, long nowMillis) {
        StringBuilder text = new StringBuilder();
        text.append(group.shard().isPresent() ? "shard " : "group ")
                .append(group.name())
                .append("  leader ")
                .append(group.leader().orElse("none"))
                .append("  term ")
                .append(group.term());
        group.state().ifPresent(state -> text.append(state(state, nowMillis)));
        text.append('\n');
        group.trouble().ifPresent(t -> text.append("  PROBLEM: ").append(t).append('\n'));
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("SERVER", "ROLE", "APPLIED", "LAG", "LOG", "SNAPSHOT"));
        group.replicas().forEach(replica -> rows.add(row(replica, nowMillis)));
        return text.append(Columns.of("  ", rows)).toString();
    }

    private static String state(ShardStatus state, long nowMillis) {
        long boundary = state.getBoundaryMicros();
        String text =
                "  ids %,d  boundary %s"
                        .formatted(
                                state.getIds(),
                                boundary == Long.MIN_VALUE
                                        ? "none"
                                        : "%s, %s"
                                                .formatted(
                                                        time(boundary), ago(boundary, nowMillis)));
        return state.getMapVersion() == 0 ? text + "  no shard map yet" : text;
    }

    private static List<String> row(GroupView.Replica replica, long nowMillis) {
        String lag = replica.lag() < 0 ? NOTHING : String.valueOf(replica.lag());
        Optional<ReplicaStatus> status = replica.status();
        if (status.isEmpty()) {
            String why = replica.serverAnswers() ? "no replica" : "no answer";
            return List.of(replica.server(), why, NOTHING, lag, NOTHING, NOTHING);
        }
        ReplicaStatus is = status.get();
        return List.of(
                replica.server(),
                role(is),
                String.valueOf(is.getAppliedIndex()),
                lag,
                bytes(is.getLogBytes()),
                is.hasSnapshot() ? snapshot(is.getSnapshot(), nowMillis) : "none");
    }

    static String role(ReplicaStatus replica) {
        String role =
                switch (replica.getRole()) {
                    case ROLE_LEADER -> "leader";
                    case ROLE_FOLLOWER -> "follower";
                    case ROLE_CANDIDATE -> "candidate";
                    default -> "starting";
                };
        if (replica.getRole() == ReplicaRole.ROLE_LEADER && !replica.getReady()) {
            return "leader, not ready";
        }
        return replica.getCaughtUp() ? role : role + ", catching up";
    }

    private static String snapshot(SnapshotStatus snapshot, long nowMillis) {
        long seconds = Math.max(0, nowMillis - snapshot.getMadeMillis()) / 1_000;
        return "index %d, %s, %s old"
                .formatted(snapshot.getIndex(), bytes(snapshot.getBytes()), age(seconds));
    }

    /** Clocks never agree to the second: what seems to be ahead is of now. */
    static String ago(long micros, long nowMillis) {
        return age(Math.max(0, nowMillis / 1_000 - micros / MICROS_PER_SECOND)) + " ago";
    }

    /** A length of time in its largest unit, such as {@code 5 min}. */
    public static String age(long seconds) {
        if (seconds < 120) {
            return seconds + " s";
        }
        long minutes = seconds / 60;
        if (minutes < 120) {
            return minutes + " min";
        }
        return minutes / 60 < 48 ? minutes / 60 + " h" : minutes / 60 / 24 + " d";
    }

    static String bytes(long bytes) {
        if (bytes < 1 << 10) {
            return bytes + " B";
        }
        double value = bytes;
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        int unit = 0;
        while (value >= 1 << 10 && unit < units.length - 1) {
            value /= 1 << 10;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
    }

    /** Both ways: for people, and to search a log for. */
    static String time(long micros) {
        return instant(micros) + " (" + micros + " us)";
    }

    static Instant instant(long micros) {
        return Instant.EPOCH
                .plusSeconds(Math.floorDiv(micros, MICROS_PER_SECOND))
                .plus(Math.floorMod(micros, MICROS_PER_SECOND), ChronoUnit.MICROS);
    }
}
