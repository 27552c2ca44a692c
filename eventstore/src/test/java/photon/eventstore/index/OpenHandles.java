package photon.eventstore.index;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import photon.storage.files.FileStore;

/** Knows what was opened in a file store and is not closed. */
final class OpenHandles {
    private final Set<Object> open = new HashSet<>();

    FileStore watch(FileStore files) {
        return proxy(FileStore.class, files);
    }

    int count() {
        return open.size();
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (self, method, arguments) -> call(target, method, arguments)));
    }

    private @Nullable Object call(
            Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        if (method.getName().equals("close")) {
            open.remove(target);
        }
        Object result;
        try {
            result = method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (result instanceof FileStore.ReadFile file) {
            open.add(file);
            return proxy(FileStore.ReadFile.class, file);
        }
        if (result instanceof FileStore.AppendFile file) {
            open.add(file);
            return proxy(FileStore.AppendFile.class, file);
        }
        return result;
    }
}
