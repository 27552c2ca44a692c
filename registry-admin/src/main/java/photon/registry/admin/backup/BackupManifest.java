package photon.registry.admin.backup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import photon.core.hash.Sha256;
import photon.registry.api.RegistryClient.Shard;

/**
 * What a backup consists of: lines of text, the last of which is the checksum of those before it.
 *
 * @param made when, ISO, by the clock of who made it: for people
 * @param groups the control group's first
 */
public record BackupManifest(String made, List<BackupGroup> groups) {
    /** Its file, which is written last: a backup without it is not whole. */
    public static final String NAME = "MANIFEST";

    private static final String FIRST = "photon-backup 1";
    private static final Pattern FILE_NAME =
            Pattern.compile("[a-z0-9][a-z0-9_-]*(\\.[a-z0-9_-]+)*");

    public BackupManifest {
        groups = List.copyOf(groups);
    }

    /** As it is stored. */
    public byte[] toBytes() {
        StringBuilder text = new StringBuilder(FIRST).append("\nmade ").append(made).append('\n');
        for (BackupGroup group : groups) {
            text.append("group ").append(group.folder());
            text.append(' ').append(group.term()).append(' ').append(group.index()).append('\n');
            for (BackupGroup.StoredBytes file : group.files()) {
                text.append("file ").append(file.name()).append(' ').append(file.length());
                text.append(' ').append(file.sha256()).append('\n');
            }
        }
        byte[] lines = text.toString().getBytes(StandardCharsets.UTF_8);
        return (text + "end " + hex(Sha256.begin().digest(lines)) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The opposite.
     *
     * @throws DamagedBackupException if it is none
     */
    public static BackupManifest read(byte[] bytes) throws DamagedBackupException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.lastIndexOf("end ");
        if (end < 0 || !text.endsWith("\n")) {
            throw new DamagedBackupException("its end is missing");
        }
        String lines = text.substring(0, end);
        String checksum = hex(Sha256.begin().digest(lines.getBytes(StandardCharsets.UTF_8)));
        if (!text.substring(end).equals("end " + checksum + "\n")) {
            throw new DamagedBackupException("its checksum is not that of its lines");
        }
        try {
            return parse(lines.split("\n", -1));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new DamagedBackupException("it cannot be read: " + e.getMessage());
        }
    }

    private static BackupManifest parse(String[] lines) {
        expect(lines[0].equals(FIRST), lines[0]);
        expect(lines[1].startsWith("made "), lines[1]);
        List<BackupGroup> groups = new ArrayList<>();
        List<BackupGroup.StoredBytes> files = new ArrayList<>();
        @Nullable String head = null;
        for (int i = 2; i < lines.length; i++) {
            if (lines[i].startsWith("file ")) {
                files.add(file(lines[i].split(" ", -1)));
                continue;
            }
            if (head != null) {
                groups.add(group(head.split(" ", -1), files));
                files.clear();
            }
            head = lines[i];
            expect(head.startsWith("group ") || (head.isEmpty() && i == lines.length - 1), head);
        }
        return new BackupManifest(lines[1].substring("made ".length()), groups);
    }

    private static BackupGroup.StoredBytes file(String[] words) {
        expect(words.length == 4 && FILE_NAME.matcher(words[1]).matches(), words[1]);
        return new BackupGroup.StoredBytes(words[1], Long.parseLong(words[2]), words[3]);
    }

    private static BackupGroup group(String[] words, List<BackupGroup.StoredBytes> files) {
        long term = Long.parseLong(words[2]);
        long index = Long.parseLong(words[3]);
        if (words[1].equals("control")) {
            return new BackupGroup(null, null, term, index, files);
        }
        UUID pipeline = UUID.fromString(words[1].substring(0, 36));
        String[] numbers = words[1].substring(37).split("-", -1);
        Shard shard = new Shard(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
        return new BackupGroup(pipeline, shard, term, index, files);
    }

    private static void expect(boolean holds, String line) {
        if (!holds) {
            throw new IllegalArgumentException("unexpected line '" + line + "'");
        }
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
