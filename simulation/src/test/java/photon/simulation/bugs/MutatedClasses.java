package photon.simulation.bugs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
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

    /** In this order: a package knows those before it only. Others come after all of these. */
    static final List<String> LAYERS =
            List.of(
                    "photon.core.",
                    "photon.simulation.kernel.",
                    "photon.simulation.network.",
                    "photon.adapter.",
                    "photon.storage.",
                    "photon.idregistry.",
                    "photon.eventstore.",
                    "photon.dispatcher.",
                    "photon.joiner.",
                    "photon.verifier.");

    private static final Map<String, byte[]> CLASS_FILES = new ConcurrentHashMap<>();

    private final Map<String, byte[]> mutated;
    private final int lowestEdited;

    private MutatedClasses(Map<String, byte[]> mutated) {
        super(MutatedClasses.class.getClassLoader());
        this.mutated = mutated;
        this.lowestEdited =
                mutated.keySet().stream().mapToInt(MutatedClasses::layer).min().orElse(0);
    }

    /**
     * @throws AssertionError if a rule has moved, or the bug does not compile
     */
    static MutatedClasses with(PlantedBug bug, Sources sources, InMemoryCompiler compiler) {
        return new MutatedClasses(compiler.compile(bug.name(), sources.edited(bug)));
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
        if (!name.startsWith("photon.") || name.startsWith(PROTO) || layer(name) < lowestEdited) {
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

    private static int layer(String className) {
        for (int i = 0; i < LAYERS.size(); i++) {
            if (className.startsWith(LAYERS.get(i))) {
                return i;
            }
        }
        return LAYERS.size();
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
