package photon.joiner.adapters;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import photon.adapter.Adapter;

/**
 * What a jar's classes use of {@code photon.adapter}, by their constant pools. A class or method
 * that is not there would otherwise show at the first event that needs it.
 */
final class ApiUse {
    private static final int MAGIC = 0xCAFEBABE;
    private static final String API = "photon/adapter/";
    private static final String CLASS = ".class";

    private ApiUse() {}

    /** The first use of what this version of the API does not have; empty: there is none. */
    static Optional<String> missing(JarFile jar) throws IOException {
        for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
            String name = entry.getName();
            // Classes of the API in an adapter's jar are not used: Photon's own are.
            if (name.endsWith(CLASS) && !name.startsWith(API) && !name.startsWith("META-INF/")) {
                try (InputStream in = jar.getInputStream(entry)) {
                    Optional<String> missing = missingIn(in);
                    if (missing.isPresent()) {
                        return Optional.of(
                                "%s uses %s, which is not in it"
                                        .formatted(
                                                name.substring(0, name.length() - CLASS.length())
                                                        .replace('/', '.'),
                                                missing.get()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> missingIn(InputStream stream) throws IOException {
        ConstantPool pool = ConstantPool.read(new DataInputStream(new BufferedInputStream(stream)));
        for (int at = 1; at < pool.size; at++) {
            Optional<String> missing =
                    switch (pool.tags[at]) {
                        case ConstantPool.CLASS -> missingClass(pool.className(at));
                        case ConstantPool.METHOD, ConstantPool.INTERFACE_METHOD ->
                                missingMethod(
                                        pool.className(pool.first[at]),
                                        pool.text(pool.first[pool.second[at]]),
                                        pool.text(pool.second[pool.second[at]]));
                        default -> Optional.empty();
                    };
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> missingClass(String name) {
        return name.startsWith(API) && find(name).isEmpty()
                ? Optional.of("the class " + name.replace('/', '.'))
                : Optional.empty();
    }

    private static Optional<String> missingMethod(String owner, String name, String descriptor) {
        if (!owner.startsWith(API) || find(owner).isEmpty() || name.startsWith("<")) {
            return Optional.empty();
        }
        return has(find(owner).get(), name, descriptor)
                ? Optional.empty()
                : Optional.of("the method %s.%s".formatted(owner.replace('/', '.'), name));
    }

    private static Optional<Class<?>> find(String name) {
        try {
            return Optional.of(
                    Class.forName(name.replace('/', '.'), false, Adapter.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    private static boolean has(Class<?> owner, String name, String descriptor) {
        Set<Class<?>> seen = new HashSet<>();
        Deque<Class<?>> left = new ArrayDeque<>(Arrays.asList(owner, Object.class));
        while (!left.isEmpty()) {
            Class<?> type = left.pop();
            if (!seen.add(type)) {
                continue;
            }
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && descriptor(method).equals(descriptor)) {
                    return true;
                }
            }
            left.addAll(Arrays.asList(type.getInterfaces()));
            if (type.getSuperclass() != null) {
                left.add(type.getSuperclass());
            }
        }
        return false;
    }

    private static String descriptor(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(parameter.descriptorString());
        }
        return text.append(')').append(method.getReturnType().descriptorString()).toString();
    }

    /** As far as it tells of classes and methods. */
    private static final class ConstantPool {
        static final int CLASS = 7;
        static final int METHOD = 10;
        static final int INTERFACE_METHOD = 11;

        private final int size;
        private final int[] tags;
        private final int[] first;
        private final int[] second;
        private final String[] texts;

        private ConstantPool(int size) {
            this.size = size;
            this.tags = new int[size];
            this.first = new int[size];
            this.second = new int[size];
            this.texts = new String[size];
        }

        static ConstantPool read(DataInputStream in) throws IOException {
            if (in.readInt() != MAGIC) {
                throw new IOException("it holds a class file that is none");
            }
            in.readInt(); // the versions
            ConstantPool pool = new ConstantPool(in.readUnsignedShort());
            for (int at = 1; at < pool.size; at++) {
                pool.tags[at] = in.readUnsignedByte();
                at += pool.readEntry(at, in);
            }
            return pool;
        }

        /** How many further places the entry takes. */
        private int readEntry(int at, DataInputStream in) throws IOException {
            switch (tags[at]) {
                case 1 -> texts[at] = in.readUTF();
                case CLASS, 8, 16, 19, 20 -> first[at] = in.readUnsignedShort();
                case 15 -> {
                    in.readUnsignedByte();
                    in.readUnsignedShort();
                }
                case 9, METHOD, INTERFACE_METHOD, 12, 17, 18 -> {
                    first[at] = in.readUnsignedShort();
                    second[at] = in.readUnsignedShort();
                }
                case 3, 4 -> in.readInt();
                case 5, 6 -> {
                    in.readLong();
                    return 1;
                }
                default -> throw new IOException("it holds a class file that cannot be read");
            }
            return 0;
        }

        String text(int at) {
            return texts[at];
        }

        /** Internal, without an array's brackets. */
        String className(int at) {
            return text(first[at]).replaceFirst("^\\[+L?", "").replace(";", "");
        }
    }
}
