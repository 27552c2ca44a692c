package photon.joiner.adapters;

import java.lang.reflect.InvocationTargetException;
import photon.adapter.Adapter;
import photon.core.config.PipelineConfig;
import photon.core.error.ConfigException;

/** Finds the adapter that the configuration names. */
public final class Adapters {
    private static final String MERGE = "merge";

    private Adapters() {}

    /**
     * @throws ConfigException if there is no such adapter, or it must not be called more than once
     */
    public static PairAdapter load(PipelineConfig.Adapter config) {
        if (config.type().equals(MERGE)) {
            if (!config.options().isEmpty()) {
                throw new ConfigException(
                        "adapter.options: expected none for merge, but got "
                                + config.options().keySet());
            }
            return new MergeAdapter();
        }
        Adapter adapter = instantiate(config.type());
        try {
            adapter.configure(config.options());
        } catch (RuntimeException e) {
            throw new ConfigException("adapter.options: " + config.type() + " refused them: " + e);
        }
        if (adapter.effect() == Adapter.Effect.POTENT) {
            throw new ConfigException(
                    "adapter.type: "
                            + config.type()
                            + " is potent, but an adapter may be called several times for one"
                            + " event. Expected a safe or idempotent one: what may happen only once"
                            + " belongs behind the published output");
        }
        return new UserAdapter(adapter);
    }

    private static Adapter instantiate(String type) {
        try {
            Class<?> found = Class.forName(type, true, loader());
            if (!Adapter.class.isAssignableFrom(found)) {
                throw new ConfigException(
                        "adapter.type: expected a class that implements "
                                + Adapter.class.getName()
                                + ", but "
                                + type
                                + " does not");
            }
            return (Adapter) found.getConstructor().newInstance();
        } catch (ClassNotFoundException | LinkageError e) {
            throw new ConfigException(unknown(type));
        } catch (InvocationTargetException e) {
            throw new ConfigException(
                    "adapter.type: the constructor of " + type + " threw " + e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new ConfigException(
                    "adapter.type: expected a public class with a public constructor without"
                            + " parameters, but "
                            + type
                            + " has none");
        }
    }

    private static ClassLoader loader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context != null ? context : Adapters.class.getClassLoader();
    }

    private static String unknown(String type) {
        String expected =
                "adapter.type: expected "
                        + MERGE
                        + " or the name of a class on the class path, but got '"
                        + type
                        + "'";
        return distance(type.toLowerCase(java.util.Locale.ROOT), MERGE) <= 3
                ? expected + ". Did you mean " + MERGE + "?"
                : expected;
    }

    /** Levenshtein's. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
