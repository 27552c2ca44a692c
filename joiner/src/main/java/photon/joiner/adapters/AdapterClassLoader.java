package photon.joiner.adapters;

import java.net.URL;
import java.net.URLClassLoader;
import photon.adapter.Adapter;

/**
 * Loads an adapter's classes: of Photon's own it sees {@code photon.adapter} alone, and of the rest
 * the JDK and its jars. So its libraries never meet Photon's.
 */
final class AdapterClassLoader extends URLClassLoader {
    static final String SHARED = "photon.adapter.";

    static {
        registerAsParallelCapable();
    }

    AdapterClassLoader(URL[] jars) {
        super("adapter", jars, new Api());
    }

    /** The JDK, and what Photon shares. */
    private static final class Api extends ClassLoader {
        static {
            registerAsParallelCapable();
        }

        Api() {
            super("adapter-api", ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith(SHARED)) {
                return Class.forName(name, false, Adapter.class.getClassLoader());
            }
            throw new ClassNotFoundException(name);
        }
    }
}
