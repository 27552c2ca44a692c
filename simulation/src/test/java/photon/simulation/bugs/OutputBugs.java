package photon.simulation.bugs;

import static photon.simulation.bugs.Check.FILES;
import static photon.simulation.bugs.Check.I1;
import static photon.simulation.bugs.Check.I2;
import static photon.simulation.bugs.Check.I3;

import java.util.List;

/** Rules of work logs, publication and sealing. */
final class OutputBugs {
    static final String OUTPUT = "storage/src/main/java/photon/storage/output/";
    static final String SEALING = OUTPUT + "IncarnationSealing.java";
    static final String MOVE_AWAY = "moveAway(); freezeLogs();";

    /** What stands there is sealed where it stands. */
    static final String NOT_MOVED_AWAY =
            """
            if (files.stat(directory) == null) {
                files.createDirectory(directory);
            }
            files.syncDirectory(area.root());
            freezeLogs();
            """;

    private static final String WORK = OUTPUT + "WorkDirectory.java";
    private static final String PUBLICATION = OUTPUT + "Publication.java";

    private OutputBugs() {}

    static final List<PlantedBug> ALL =
            List.of(
                    PlantedBug.of(
                                    "sealing-without-rename",
                                    6,
                                    "sealing renames the work directory away",
                                    I1,
                                    I2)
                            .edit(SEALING, MOVE_AWAY, NOT_MOVED_AWAY),
                    PlantedBug.of(
                                    "tombstone-omitted",
                                    6,
                                    "a tombstone stands at the old name (and files are created"
                                            + " non-recursively)",
                                    I1)
                            .edit(
                                    SEALING,
                                    "if (standing == null) { files.create(live).close(); }",
                                    "if (standing == null) { break; }")
                            .edit(
                                    WORK,
                                    "var file = files.create(path(OutputNames.workLog(sequence)));",
                                    "files.createDirectories(directory); var file ="
                                            + " files.create(path(OutputNames.workLog(sequence)));"),
                    PlantedBug.of(
                                    "publication-replaced",
                                    6,
                                    "a published name is exclusive, never replaced (and sealing"
                                            + " renames)",
                                    I1)
                            .edit(SEALING, MOVE_AWAY, NOT_MOVED_AWAY)
                            .edit(
                                    SEALING,
                                    "for (String each : area.directories(incarnation)) {",
                                    "for (String each : List.of(directory)) {")
                            .edit(
                                    PUBLICATION,
                                    "if (!files.publish(temporary, name)) {",
                                    """
                                    if (!mayStand) {
                                        files.delete(name);
                                    }
                                    if (!files.publish(temporary, name)) {
                                    """),
                    PlantedBug.of(
                                    "manifest-after-the-move",
                                    6,
                                    "the manifest is written before the move",
                                    I2,
                                    I3)
                            .edit(
                                    WORK,
                                    "if (!publication.takeManifest(prepared.manifest())) {",
                                    """
                                    publication.move(prepared, false);
                                    files.delete(path);
                                    if (!publication.takeManifest(prepared.manifest())) {
                                    """)
                            .edit(
                                    WORK,
                                    "publication.move(prepared, false); files.delete(path); // its published names are durable",
                                    ""),
                    PlantedBug.of(
                                    "published-name-not-synced",
                                    6,
                                    "links and renames are followed by a directory sync",
                                    I1,
                                    I2,
                                    I3)
                            .edit(PUBLICATION, "files.syncDirectory(folder);", ""),
                    PlantedBug.of(
                                    "work-log-name-not-synced",
                                    6,
                                    "creations are followed by a directory sync",
                                    I3)
                            .edit(
                                    WORK,
                                    "files.syncDirectory(directory); lastSequence = sequence;",
                                    "lastSequence = sequence;"),
                    PlantedBug.of(
                                    "work-directory-name-not-synced",
                                    6,
                                    "an incarnation's directory is durable before anything is"
                                            + " written in it",
                                    I2,
                                    I3)
                            .edit(
                                    OUTPUT + "OutputDirectory.java",
                                    "files.createDirectory(path); files.syncDirectory(area.root());",
                                    "files.createDirectory(path);"),
                    PlantedBug.of(
                                    "manifest-name-not-synced",
                                    6,
                                    "a manifest is durable before the move",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    PUBLICATION,
                                    "files.syncDirectory(workDirectory); // also when another took"
                                            + " it, and has not synced yet",
                                    ""),
                    PlantedBug.of(
                                    "sealed-mark-name-not-synced",
                                    6,
                                    "the mark of a sealed incarnation is durable before anybody"
                                            + " goes by it",
                                    I1,
                                    I2,
                                    I3,
                                    FILES)
                            .edit(SEALING, "files.syncDirectory(directory); clear();", "clear();"),
                    PlantedBug.of(
                                    "torn-work-log-not-cut",
                                    6,
                                    "sealing copies the whole records before a torn tail",
                                    I2,
                                    I3)
                            .edit(
                                    SEALING,
                                    "if (reader.torn()) {",
                                    "if (reader.torn()) { if (reader.position() >= 0) throw new"
                                            + " IOException(\"torn\");"),
                    PlantedBug.of(
                                    "open-log-frozen-in-place",
                                    6,
                                    "what a zombie appends through an open handle is never"
                                            + " published",
                                    I1,
                                    I2,
                                    I3)
                            .edit(
                                    SEALING,
                                    "named = files.publish(copy.path(), directory + \"/\" + OutputNames.frozenLog(sequence));",
                                    "files.publish(path, directory + \"/\" +"
                                            + " OutputNames.frozenLog(sequence));"),
                    PlantedBug.of(
                                    "published-in-todays-format",
                                    6,
                                    "a log is published in the format that it was begun in",
                                    FILES)
                            .edit(
                                    OUTPUT + "WorkLogReader.java",
                                    "return OutputFormats.described(header.format());",
                                    "OutputFormats.described(header.format()); return otherwise;"),
                    PlantedBug.of(
                                    "what-was-written-aside-is-rubbish",
                                    6,
                                    "what was written aside counts if redoing it gives other bytes",
                                    I2)
                            .edit(
                                    SEALING,
                                    "if (!standing.equals(agreed.manifest())) { agreed",
                                    "if (standing == null) { agreed"));
}
