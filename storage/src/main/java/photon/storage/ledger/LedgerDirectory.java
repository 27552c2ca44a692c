package photon.storage.ledger;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import photon.storage.document.VersionedDocument;
import photon.storage.files.FileStore;
import photon.storage.files.FileStore.FileInfo;

/**
 * The names in a ledger's directory: {@code ledger-0000000007.jsonl} is a segment, {@code
 * leaving-0000000007.jsonl} one that its writer writes to no more, since retention looks whether it
 * may go, and {@code ended.NUMBER} says what went.
 */
record LedgerDirectory(FileStore files, String path) {
    private static final String ENDED = "ended";
    private static final Pattern SEGMENT = Pattern.compile("(ledger|leaving)-(\\d{10})\\.jsonl");

    /** A segment and what its name says. */
    record Segment(long number, boolean leaving, FileInfo file) {}

    String segment(long number) {
        return path + "/ledger-%010d.jsonl".formatted(number);
    }

    String leaving(long number) {
        return path + "/leaving-%010d.jsonl".formatted(number);
    }

    /** What went, and the version of the document that says so; 0: there is none. */
    record Ended(long version, EndedEntries entries) {}

    Ended endedVersion() throws IOException {
        Optional<VersionedDocument.Version> version = document().read();
        return version.isPresent()
                ? new Ended(version.get().number(), EndedEntries.decode(version.get().content()))
                : new Ended(0, EndedEntries.NONE);
    }

    /** What went. */
    EndedEntries ended() throws IOException {
        return endedVersion().entries();
    }

    /** False: somebody else wrote since this version. */
    boolean write(long version, EndedEntries entries) throws IOException {
        return document().write(version, entries.encode());
    }

    private VersionedDocument document() {
        return new VersionedDocument(files, path, ENDED);
    }

    /** Those that stand, but for what has gone according to {@code ended}; in order of number. */
    List<Segment> segments(EndedEntries ended) throws IOException {
        SortedMap<Long, Segment> found = new TreeMap<>();
        for (FileInfo file : files.list(path)) {
            Matcher matcher = SEGMENT.matcher(name(file));
            if (matcher.matches()) {
                long number = Long.parseLong(matcher.group(2));
                if (number != ended.going()) {
                    boolean leaving = matcher.group(1).equals("leaving");
                    found.putIfAbsent(number, new Segment(number, leaving, file));
                }
            }
        }
        return new ArrayList<>(found.values());
    }

    private static String name(FileInfo file) {
        return file.path().substring(file.path().lastIndexOf('/') + 1);
    }
}
