package photon.joiner.adapters;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import photon.adapter.Adapter;
import photon.adapter.WrongOptionException;
import photon.core.config.NearestName;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;

/**
 * An adapter's class, and where it comes from: its jars, in a loader of their own, or Photon's own
 * class path. Makes instances of it.
 */
public final class AdapterClasses implements AutoCloseable {
    private final PipelineConfig.Adapter config;
    private final @Nullable AdapterJars jars;
    private final @Nullable AdapterClassLoader own;
    private final Class<?> found;

    private AdapterClasses(PipelineConfig.Adapter config) {
        this.config = config;
        this.jars = config.jars().isEmpty() ? null : AdapterJars.open(config.jars());
        this.own = jars == null ? null : jars.loader();
        try {
            this.found = find();
        } catch (ConfigException e) {
            closeQuietly();
            throw e;
        }
    }

    /**
     * @throws ConfigException if a jar or the class is not there, or is of no use: names it
     */
    public static AdapterClasses open(PipelineConfig.Adapter config) {
        return new AdapterClasses(config);
    }

    /** Reads the jars. */
    public AdapterFingerprint fingerprint() {
        return jars == null
                ? AdapterFingerprint.of(config, "", List.of())
                : AdapterFingerprint.of(config, jars.versionOf(config.type()), jars.digests());
    }

    ClassLoader loader() {
        if (own != null) {
            return own;
        }
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context != null ? context : AdapterClasses.class.getClassLoader();
    }

    /** Calls with the adapter's loader as the thread's. */
    public <T> T within(Supplier<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader());
        try {
            return call.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Class<?> find() {
        Class<?> type;
        try {
            type = Class.forName(config.type(), true, loader());
        } catch (ClassNotFoundException e) {
            throw new ConfigException(noSuchClass());
        } catch (ExceptionInInitializerError e) {
            throw new ConfigException(
                    "adapter.class: the static initializer of %s threw %s"
                            .formatted(config.type(), e.getCause()));
        } catch (LinkageError e) {
            throw new ConfigException("adapter.class: " + unlinked(e));
        }
        if (!Adapter.class.isAssignableFrom(type)) {
            throw new ConfigException(
                    "adapter.class: expected a class that implements %s, but %s does not"
                            .formatted(Adapter.class.getName(), config.type()));
        }
        return type;
    }

    private String noSuchClass() {
        if (jars == null) {
            return "adapter.class: expected the name of a class on the class path, but got '%s'"
                    .formatted(config.type());
        }
        String simpleName = config.type().substring(config.type().lastIndexOf('.') + 1);
        List<String> near = jars.classesNamed(simpleName);
        return "adapter.class: there is no class %s in %s%s"
                .formatted(
                        config.type(),
                        jars,
                        near.isEmpty() ? "" : ": did you mean '" + near.get(0) + "'?");
    }

    private String unlinked(LinkageError e) {
        if (e instanceof UnsupportedClassVersionError) {
            return "%s was compiled for a newer Java than the one that runs Photon, %s: compile it with javac --release 17"
                    .formatted(config.type(), Runtime.version().feature());
        }
        if (e instanceof NoClassDefFoundError && missingClass(e).isPresent()) {
            return "%s needs the class %s, which is in none of adapter.jar: add the jar of that library to the list"
                    .formatted(config.type(), missingClass(e).get());
        }
        return "%s cannot be loaded: %s".formatted(config.type(), e);
    }

    private static Optional<String> missingClass(LinkageError e) {
        String message = e.getMessage();
        return message == null || message.contains(" ")
                ? Optional.empty()
                : Optional.of(message.replace('/', '.'));
    }

    /**
     * Not started yet.
     *
     * @throws ConfigException if it cannot be made
     */
    public Adapter make() {
        return within(
                () -> {
                    try {
                        return (Adapter) found.getConstructor().newInstance();
                    } catch (InvocationTargetException e) {
                        throw new ConfigException(
                                "adapter.class: the constructor of %s threw %s"
                                        .formatted(config.type(), e.getCause()));
                    } catch (ReflectiveOperationException e) {
                        throw new ConfigException(
                                "adapter.class: expected a public class with a public constructor without parameters, but %s has none"
                                        .formatted(config.type()));
                    } catch (LinkageError e) {
                        throw new ConfigException("adapter.class: " + unlinked(e));
                    }
                });
    }

    /**
     * Ready to join.
     *
     * @throws ConfigException if it does not start with these options, or must not be called more
     *     than once
     */
    public PairAdapter start(AdapterHost host) {
        Adapter adapter = make();
        HostContext context = new HostContext(host, config.options(), config.type());
        within(
                () -> {
                    started(adapter, context);
                    return true;
                });
        return new UserAdapter(adapter, context, fingerprint(), this);
    }

    private void started(Adapter adapter, HostContext context) {
        try {
            adapter.start(context);
        } catch (WrongOptionException e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        } catch (LinkageError e) {
            throw new ConfigException("adapter.class: " + unlinked(e));
        } catch (RuntimeException e) {
            throw new ConfigException(
                    "adapter: %s cannot start with its options %s: %s"
                            .formatted(config.type(), config.options().keySet(), e));
        }
        List<String> unknown =
                context.options().unread().stream()
                        .map(
                                key ->
                                        "adapter.options.%s is no option of %s%s"
                                                .formatted(
                                                        key,
                                                        config.type(),
                                                        hint(key, context.options().known())))
                        .toList();
        if (!unknown.isEmpty()) {
            adapter.close();
            throw new ConfigException(unknown);
        }
        if (adapter.effect() == Adapter.Effect.POTENT) {
            adapter.close();
            throw new ConfigException(
                    "adapter.class: %s is potent, but an adapter may be called several times for one event. Expected a safe or idempotent one: what may happen only once belongs behind the published output"
                            .formatted(config.type()));
        }
    }

    private static String hint(String key, Set<String> known) {
        return known.isEmpty() ? ": it has none" : NearestName.hint(key, known);
    }

    /** For who has another trouble already. */
    public void closeQuietly() {
        try {
            close();
        } catch (IOException e) {
            // It is told of the other.
        }
    }

    /** Its classes that were not loaded yet cannot be any more. */
    @Override
    public void close() throws IOException {
        if (own != null) {
            own.close();
        }
    }
}
