package photon.verifier.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import photon.core.config.OutputConfig;
import photon.core.crash.CrashPoints;
import photon.core.id.CommitToken;
import photon.core.id.EventId;
import photon.core.id.Incarnation;
import photon.core.time.IntervalClock;
import photon.storage.files.MemoryFileStore;
import photon.storage.output.LostFiles;
import photon.storage.output.Manifest;
import photon.storage.output.OutputDirectory;
import photon.storage.output.OutputDirectory.StoredManifest;
import photon.storage.output.OutputIdentity;
import photon.storage.output.PublishedWalk;
import photon.storage.output.RetiredIncarnations;
import photon.storage.output.Retirement;
import photon.storage.output.format.OutputFormats;

/** An output directory in memory: what is flushed is published when it is sealed. */
public final class MemoryOutput implements OutputFiles {
    private final String outputId;
    private final TreeMap<Incarnation, List<Manifest>> published = new TreeMap<>();
    private final Map<Incarnation, List<Manifest.Entry>> flushed = new HashMap<>();
    private final Set<Incarnation> sealed = new HashSet<>();
    private final Map<Incarnation, String> broken = new HashMap<>();
    private final Set<Incarnation> unreadable = new HashSet<>();
    private final List<String> strangers = new ArrayList<>();
    private final Set<String> lostStrangers = new HashSet<>();
    private final Map<Incarnation, List<Manifest>> declaredLost = new HashMap<>();

    /** Whoever does something is told first; may throw. */
    private Runnable onUse = () -> {};

    private int sealsFail;
    private final Map<Incarnation, List<LostFiles.Declaration>> declarations = new HashMap<>();
    private final MemoryFileStore files = new MemoryFileStore();
    private final OutputDirectory work;

    public MemoryOutput(String outputId) {
        this.outputId = outputId;
        try {
            work =
                    OutputDirectory.open(
                            files,
                            "/retired",
                            new OutputIdentity("p", "f", "east", outputId),
                            OutputFormats.of(OutputConfig.DEFAULTS),
                            CrashPoints.none(),
                            () -> new IntervalClock.Interval(0, 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void onUse(Runnable hook) {
        onUse = hook;
    }

    /** A published file of one event. */
    public void publish(EventId id, CommitToken token, int joinedEvents) {
        publish(
                token.incarnation(),
                List.of(new Manifest.Entry(id, token, "content", joinedEvents)));
    }

    public void publish(Incarnation incarnation, List<Manifest.Entry> entries) {
        List<Manifest> manifests =
                published.computeIfAbsent(incarnation, unknown -> new ArrayList<>());
        manifests.add(new Manifest(incarnation, manifests.size() + 1L, List.of(), entries));
    }

    /** Stands in an open work log. */
    public void flush(EventId id, CommitToken token) {
        flushed.computeIfAbsent(token.incarnation(), unknown -> new ArrayList<>())
                .add(new Manifest.Entry(id, token, "content", 1));
    }

    public void breakFiles(Incarnation incarnation, String how) {
        broken.put(incarnation, how);
    }

    public void mendFiles(Incarnation incarnation) {
        broken.remove(incarnation);
    }

    /** Manifests of this incarnation cannot be read. */
    public void breakManifests(Incarnation incarnation) {
        unreadable.add(incarnation);
    }

    public void addStranger(String path) {
        strangers.add(path);
        try {
            files.put("/retired/" + path, new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void failSeals(int times) {
        sealsFail = times;
    }

    @Override
    public String outputId() {
        return outputId;
    }

    @Override
    public void seal(Incarnation incarnation) throws IOException {
        onUse.run();
        if (sealsFail > 0) {
            sealsFail--;
            throw new IOException("disk away");
        }
        List<Manifest.Entry> open = flushed.remove(incarnation);
        if (open != null) {
            publish(incarnation, open);
        }
        sealed.add(incarnation);
        published.computeIfAbsent(incarnation, unknown -> new ArrayList<>());
    }

    @Override
    public boolean isSealed(Incarnation incarnation) {
        onUse.run();
        return sealed.contains(incarnation);
    }

    @Override
    public List<Incarnation> incarnations() {
        return published.keySet().stream().filter(one -> !declaredRetired(one)).toList();
    }

    private boolean declaredRetired(Incarnation incarnation) {
        try {
            return retired().contains(incarnation);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public List<StoredManifest> manifests(Incarnation incarnation) throws IOException {
        onUse.run();
        if (unreadable.contains(incarnation)) {
            throw new IOException("manifest 2 is gone");
        }
        List<StoredManifest> stored = new ArrayList<>();
        for (Manifest manifest : published.getOrDefault(incarnation, List.of())) {
            stored.add(() -> manifest);
        }
        return stored;
    }

    /** A person declares that the files of this manifest are lost. */
    public void declareLost(Incarnation incarnation, int manifest) {
        List<Manifest> all = published.getOrDefault(incarnation, List.of());
        declaredLost
                .computeIfAbsent(incarnation, unknown -> new ArrayList<>())
                .add(all.remove(manifest));
    }

    @Override
    public List<StoredManifest> settledManifests(Incarnation incarnation) throws IOException {
        return manifests(incarnation);
    }

    @Override
    public List<StoredManifest> lostManifests(Incarnation incarnation) {
        onUse.run();
        List<StoredManifest> stored = new ArrayList<>();
        for (Manifest manifest : declaredLost.getOrDefault(incarnation, List.of())) {
            stored.add(() -> manifest);
        }
        return stored;
    }

    /** Such a file is there all the same. */
    public void addLostStranger(String path) {
        addStranger(path);
        lostStrangers.add(path);
    }

    @Override
    public Set<String> lostPaths() {
        return Set.copyOf(lostStrangers);
    }

    @Override
    public PublishedWalk unknown(Incarnation incarnation, Set<String> known) {
        onUse.run();
        return work.unknown(incarnation, known);
    }

    @Override
    public Optional<String> verify(Manifest manifest, long keptSinceMicros) {
        onUse.run();
        return manifest.isOlderThan(keptSinceMicros)
                ? Optional.empty()
                : Optional.ofNullable(broken.get(manifest.incarnation()));
    }

    @Override
    public Optional<String> verifyStanding(Manifest.Summary manifest, long keptSinceMicros) {
        onUse.run();
        return manifest.isOlderThan(keptSinceMicros)
                ? Optional.empty()
                : Optional.ofNullable(broken.get(manifest.incarnation()));
    }

    @Override
    public List<String> strangers() {
        return List.copyOf(strangers);
    }

    /** As if it was retired before. */
    public void retired(Incarnation incarnation, RetiredIncarnations.Left left) throws IOException {
        work.retirement().record(incarnation, left);
    }

    @Override
    public RetiredIncarnations retired() throws IOException {
        return work.retirement().retired();
    }

    @Override
    public List<Incarnation> leftovers() throws IOException {
        RetiredIncarnations retired = retired();
        return published.keySet().stream().filter(retired::contains).toList();
    }

    @Override
    public List<LostFiles.Declaration> declarations(Incarnation incarnation) {
        return List.copyOf(declarations.getOrDefault(incarnation, List.of()));
    }

    /** As if a person had declared a file lost, and nobody had reopened the incarnation yet. */
    public void declare(LostFiles.Declaration declaration) {
        declarations
                .computeIfAbsent(declaration.named().incarnation(), unknown -> new ArrayList<>())
                .add(declaration);
    }

    @Override
    public void retire(Incarnation incarnation, RetiredIncarnations.Left left) throws IOException {
        onUse.run();
        work.retirement().record(incarnation, left);
        onUse.run();
    }

    @Override
    public Retirement.Removed remove(Incarnation incarnation) throws IOException {
        Retirement.Removed removed = work.retirement().remove(incarnation);
        int manifests = published.getOrDefault(incarnation, List.of()).size();
        published.remove(incarnation);
        declaredLost.remove(incarnation);
        return new Retirement.Removed(removed.manifests() + manifests, removed.names());
    }
}
