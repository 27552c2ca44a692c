package photon.simulation.bugs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The production classes with a bug in them: a world that is made of them lives in this JVM beside
 * worlds without it. Classes that cannot know an edited one are the JVM's own, which have been
 * loaded and compiled already.
 */
final class MutatedClasses extends ClassLoader {
    /** Runs one seed: see {@link Worlds}. */
    static final String ENTRY = "photon.simulation.run.OneSeed";

    /** Generated, never edited, slow to load. */
    private static final String PROTO = "photon.proto.";

    private static final Map<String, byte[]> CLASS_FILES = new ConcurrentHashMap<>();

    private final Map<String, byte[]> mutated;
    private final PackageGraph packages;

    /** Packages that this loader has its own classes of. */
    private final Set<String> own;

    private MutatedClasses(
            Map<String, byte[]> mutated, PackageGraph packages, Collection<String> own) {
        super(MutatedClasses.class.getClassLoader());
        this.mutated = mutated;
        this.packages = packages;
        this.own = Set.copyOf(own);
    }

    /**
     * @throws AssertionError if a rule has moved, or the bug does not compile
     */
    static MutatedClasses with(PlantedBug bug, Sources sources, InMemoryCompiler compiler) {
        Map<String, byte[]> mutated = compiler.compile(bug.name(), sources.edited(bug));
        List<String> edited = mutated.keySet().stream().map(PackageGraph::packageOf).toList();
        PackageGraph packages = sources.packages();
        return new MutatedClasses(mutated, packages, packages.knowing(edited));
    }

    /**
     * The same, and nothing is shared: a test may lie in a package whose production classes know
     * nothing of what it tests.
     */
    static ClassLoader forTests(PlantedBug bug, Sources sources, InMemoryCompiler compiler) {
        return unshared(compiler.compile(bug.name(), sources.edited(bug)), sources);
    }

    /** Classes without a bug, loaded in the same way. */
    static ClassLoader soundForTests(Sources sources) {
        return unshared(Map.of(), sources);
    }

    private static ClassLoader unshared(Map<String, byte[]> mutated, Sources sources) {
        PackageGraph packages = sources.packages();
        return new MutatedClasses(mutated, packages, packages.all());
    }

    /** Takes a seed and tells what came of its world. */
    LongFunction<String> world() {
        return entry(ENTRY, this);
    }

    /** The same of another entry point. */
    LongFunction<String> world(Class<? extends LongFunction<String>> entry) {
        return entry(entry.getName(), this);
    }

    /** A world without a bug. */
    static LongFunction<String> soundWorld() {
        return entry(ENTRY, MutatedClasses.class.getClassLoader());
    }

    // The entry point's type is the JDK's, so that both sides know it.
    @SuppressWarnings("unchecked")
    private static LongFunction<String> entry(String name, ClassLoader loader) {
        try {
            return (LongFunction<String>)
                    loader.loadClass(name).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Expected a world in " + name, e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("photon.") || name.startsWith(PROTO) || shares(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null) {
                byte[] bytes = mutated.containsKey(name) ? mutated.get(name) : classFile(name);
                loaded = defineClass(name, bytes, 0, bytes.length);
            }
            if (resolve) {
                resolveClass(loaded);
            }
            return loaded;
        }
    }

    /** Tests' own packages are never shared. */
    private boolean shares(String className) {
        String name = PackageGraph.packageOf(className);
        return packages.has(name) && !own.contains(name);
    }

    private static byte[] classFile(String name) throws ClassNotFoundException {
        byte[] known = CLASS_FILES.get(name);
        if (known != null) {
            return known;
        }
        String path = name.replace('.', '/') + ".class";
        try (@Nullable InputStream in =
                MutatedClasses.class.getClassLoader().getResourceAsStream(path)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            CLASS_FILES.put(name, bytes);
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
