package photon.idregistry.server.members;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.core.error.ConfigException;
import photon.idregistry.members.PeerName;
import photon.idregistry.raft.RaftNode;
import photon.idregistry.server.config.RegistryServerConfig;
import photon.proto.v1.DiskState;
import photon.registry.api.RegistryProtos;

/**
 * Which disk a data directory is: the file {@code disk} in it, written when the directory is used
 * first. Its id is told to the other servers and kept by the control group, so that a blank disk is
 * never taken for one that has only been away (docs/protocol.md section 11). Written by one thread;
 * read by any.
 */
public final class OwnDisk {
    private static final String FILE = "disk";

    private final String name;
    private final Path data;
    private final UUID id;
    private volatile DiskState state;
    private volatile int number;

    private OwnDisk(String name, Path data, UUID id, DiskState state, int number) {
        this.name = name;
        this.data = data;
        this.id = id;
        this.state = state;
        this.number = number;
    }

    /**
     * Before anything is opened.
     *
     * @param random makes a new disk's id
     * @throws ConfigException if the directory cannot be used, or a part of it is gone
     */
    public static OwnDisk open(RegistryServerConfig config, Supplier<UUID> random) {
        Path data = config.data();
        try {
            Files.createDirectories(data);
            boolean logs = RaftNode.hasLogs(data);
            Path file = data.resolve(FILE);
            OwnDisk disk =
                    Files.exists(file)
                            ? read(config, Files.readAllLines(file, StandardCharsets.UTF_8))
                            : null;
            if (logs && (disk == null || !disk.isStarted())) {
                throw new ConfigException(
                        "The registry data in %s has logs, but its file '%s' is missing or does not say that the disk was used. Expected the directory as it was"
                                .formatted(data, FILE));
            }
            if (disk == null || (!disk.name.equals(config.name()) && !disk.isStarted())) {
                disk = new OwnDisk(config.name(), data, random.get(), DiskState.DISK_BLANK, 1);
                disk.write();
            }
            if (disk.isStarted() && !disk.name.equals(config.name())) {
                throw new ConfigException(
                        "The registry data in %s is of server %s, but this is server %s. Expected each server's own directory"
                                .formatted(data, disk.name, config.name()));
            }
            if (!logs && disk.isStarted() && !DataOwner.isKept(data)) {
                // Killed between saying that it begins and beginning: nobody has heard of it.
                disk.change(disk.number == 1 ? DiskState.DISK_CLEARED : DiskState.DISK_BLANK, 1);
            }
            if (!logs && disk.isStarted()) {
                throw new ConfigException(
                        "The registry data in %s has lost its logs: disk %s of server %s took part in the registry, and what it has confirmed is gone. Expected the directory as it was; if it is lost for ever, run 'photon registry members replace %s', and start the server with an empty one"
                                .formatted(data, disk.id, disk.name, disk.name));
            }
            return disk;
        } catch (IOException e) {
            throw new ConfigException(
                    "Cannot use the registry's data directory %s: %s. Expected a directory that is ours to write"
                            .formatted(data, e));
        }
    }

    private static OwnDisk read(RegistryServerConfig config, List<String> lines) {
        Map<String, String> values = new HashMap<>();
        for (String line : lines) {
            int space = line.indexOf(' ');
            if (space > 0) {
                values.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        try {
            return new OwnDisk(
                    values.getOrDefault("server", ""),
                    config.data(),
                    UUID.fromString(values.getOrDefault("disk", "")),
                    state(values.get("state")),
                    new PeerName("any", Integer.parseInt(values.getOrDefault("number", "")))
                            .number());
        } catch (RuntimeException e) {
            throw new ConfigException(
                    "The file %s is damaged: %s. Expected it as it was; if it is lost for ever, run 'photon registry members replace %s', and start the server with an empty directory"
                            .formatted(config.data().resolve(FILE), lines, config.name()));
        }
    }

    private static DiskState state(@Nullable String text) {
        return DiskState.valueOf("DISK_" + String.valueOf(text).toUpperCase(Locale.ROOT));
    }

    /** From now on this disk may take part, as the first behind its server's name. */
    void clear() {
        change(DiskState.DISK_CLEARED, 1);
    }

    /**
     * From now on it takes part, as this number behind its server's name. To be said before it
     * does.
     */
    public void begin(int as) {
        change(DiskState.DISK_STARTED, as);
    }

    /** Nothing has come of {@link #begin}: a start that failed may be tried again. */
    public void begunInVain(DiskState before) {
        if (!RaftNode.hasLogs(data)) {
            change(before, 1);
        }
    }

    private void change(DiskState to, int as) {
        if (state == to && number == as) {
            return;
        }
        state = to;
        number = as;
        try {
            write();
        } catch (IOException e) {
            throw new ConfigException(
                    "Cannot write to the registry's data directory %s: %s. Expected a directory that is ours to write"
                            .formatted(data, e));
        }
    }

    private void write() throws IOException {
        Path file = data.resolve(FILE);
        Path aside = data.resolve(FILE + ".new");
        Files.write(
                aside,
                List.of(
                        "disk " + id,
                        "server " + name,
                        "state "
                                + state.name().substring("DISK_".length()).toLowerCase(Locale.ROOT),
                        "number " + number),
                StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(data, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    boolean isStarted() {
        return state == DiskState.DISK_STARTED;
    }

    public DiskState state() {
        return state;
    }

    /** Of the disks behind its server's name, from 1; means something once it has begun. */
    public int number() {
        return number;
    }

    /** As Raft knows it. */
    public String peer() {
        return new PeerName(name, number).toString();
    }

    UUID id() {
        return id;
    }

    /** 16 bytes. */
    public ByteString bytes() {
        return RegistryProtos.bytes(id);
    }
}
