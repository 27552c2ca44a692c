/**
 * How joined events reach the published output: work logs, manifests, publication, sealing
 * (docs/protocol.md section 6). Start at {@link photon.storage.output.OutputDirectory}.
 *
 * <pre>
 *   _photon.json                        whose directory it is
 *   dt=2026-11-23/hour=07/3-17-000001.jsonl
 *                                       published: slot, generation, sequence; never changes
 *   late/dt=2026-11-23/hour=07/3-17-000001.jsonl
 *                                       the named output "late" of the same work log
 *   _work/3-17/work-000002.log          a live incarnation writes here, and has its temporaries here
 *   _work/3-17/manifest-000001.bin      what is, or is about to be, published
 *   _work/3-16                          a tombstone: a file, so that no directory comes back
 *   _work/3-16.sealed/                  what was _work/3-16; in the end its manifests and SEALED
 *   _work/3-16.sealed/lost-000004.json  a person says that the files of manifest 4 are lost for good
 *   _work/retired.0000000000000000007   which incarnations are retired, and what they had
 *   _work/3-16.sealed-KEY/              a directory that came between renaming and tombstone
 * </pre>
 *
 * <p>A live publication: files aside, synced; manifest aside, synced, named, its directory synced;
 * names of the published files, their directories synced, with those above; work log removed. A
 * sealing: directory moved, tombstone, both durable; whole records copied to a <em>frozen</em> log,
 * which is named exclusively, and durable; each frozen log published in the same way, where names
 * may stand; the mark SEALED, durable; the rest cleared away.
 *
 * <h2>Why nothing synced is lost and nothing is published twice</h2>
 *
 * <ul>
 *   <li><b>One content for one name.</b> The bytes behind a published name are a function of one
 *       log that nobody appends to: a finished one, or a frozen one. Which frozen one, of several
 *       sealers' copies of different length, is decided by the exclusive name of the frozen log;
 *       all go on from the one that stands. The manifest, named exclusively too, is made of the
 *       same log, and whoever finds one standing must get the same from the log or stops. What no
 *       log gives is the hour in whose folder the files stand: the manifest that stands says it, so
 *       that who redoes a publication in another hour finds the names that are taken.
 *   <li><b>A zombie holds handles and paths.</b> Its handles are of work logs, which are read once,
 *       to be frozen: bytes that come later are in no frozen log. Its paths are all below its live
 *       directory, except the published names, and to take one of those it must move a temporary
 *       from below the live directory: whatever it does by path before the directory is moved has
 *       happened before the sealing, and fails after. It may be stopped between the names of two
 *       outputs: its manifest stands then, and the sealing takes the other name with equal bytes.
 *   <li><b>No directory comes back.</b> Making one fails on the tombstone. One made between
 *       renaming and tombstone is moved too, to a name made of its own key: of two sealers, the
 *       slower finds that name taken and does not move the faster one's tombstone. {@code .sealed}
 *       is looked for before the live name, for the same reason.
 *   <li><b>Crash of a joiner</b> before the manifest stands: temporaries are rubbish, the log is
 *       frozen and published by the sealer. After it, before all names: the log is still there, the
 *       same bytes are made again. After the names, before the log is removed (or its removal is
 *       undone by a power cut): the names stand and agree. Each step's names are durable before the
 *       next step begins, so a power cut leaves a prefix of the steps.
 *   <li><b>Crash of a sealer</b>: every step looks for what stands, and syncs the directory also of
 *       what another has named but perhaps not synced. Temporaries are made exclusively, so a
 *       half-written one is never taken up. Nothing is removed before SEALED is durable. A slow
 *       second sealer whose files are cleared away under it finds SEALED and is done; should it
 *       freeze a log once more, the manifest that stands refuses it.
 *   <li><b>A file that is declared lost</b> is never published again under its name. Its sealing is
 *       complete, so only a sealer that was slower than the one that wrote SEALED could do it. That
 *       one either sees SEALED behind its last temporary, and stops; or it made its temporaries
 *       before SEALED stood, and they are cleared away by the sealing that comes before and after
 *       each declaration.
 *   <li><b>Damage.</b> A frozen log is the records before the first place that is not whole. After
 *       a power cut that is what was not synced; on a failing disk more may stand behind, and its
 *       events are in no manifest, so the repair sends them again. A manifest that is unreadable or
 *       missing (SEALED lists them) is an error: an event that is in no manifest is joined again,
 *       so no manifest may silently count for none. A live incarnation's manifest whose files do
 *       not stand is left out only while its log is there, that is, while it is half done.
 * </ul>
 */
@NullMarked
package photon.storage.output;

import org.jspecify.annotations.NullMarked;
