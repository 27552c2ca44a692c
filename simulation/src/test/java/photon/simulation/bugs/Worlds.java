package photon.simulation.bugs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongFunction;

/**
 * Runs worlds with and without a bug. What a world answers is {@code ok}, or a line for each
 * violation, the invariant first: {@code I1: ...}. Thread-safe.
 */
final class Worlds {
    private static final String PASSED = "ok";

    /** Tasks that block are nested in each other. */
    private static final long STACK_BYTES = 64L << 20;

    private final Sources sources = Sources.ofThisCheckout();
    private final ThreadLocal<InMemoryCompiler> compilers =
            ThreadLocal.withInitial(InMemoryCompiler::new);
    private final LongFunction<String> sound = MutatedClasses.soundWorld();
    private final Map<Long, List<String>> soundSeeds = new ConcurrentHashMap<>();

    /** Threads to run worlds on, as many as there are cores. */
    static ExecutorService threads() {
        return Executors.newFixedThreadPool(
                Runtime.getRuntime().availableProcessors(),
                work -> {
                    Thread thread = new Thread(null, work, "planted-bugs", STACK_BYTES);
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** A world with the bug in it, to be run as often as need be, by one thread at a time. */
    LongFunction<List<String>> with(PlantedBug bug) {
        MutatedClasses classes = MutatedClasses.with(bug, sources, compilers.get());
        LongFunction<String> world = classes.world();
        return seed -> {
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(classes);
            try {
                return violations(world.apply(seed));
            } catch (RuntimeException | StackOverflowError e) {
                return List.of(Check.BUG.label() + ": " + e);
            } finally {
                thread.setContextClassLoader(before);
            }
        };
    }

    /** The violations of a seed without a bug: none, or the simulator or the code is wrong. */
    List<String> withoutBug(long seed) {
        return soundSeeds.computeIfAbsent(seed, s -> violations(sound.apply(s)));
    }

    private static List<String> violations(String answer) {
        return answer.equals(PASSED) ? List.of() : answer.lines().toList();
    }

    /** Which of the checkers that are expected to has caught the bug. */
    static Optional<Check> catcher(PlantedBug bug, List<String> violations) {
        return bug.expected().stream()
                .sorted()
                .filter(
                        check ->
                                violations.stream()
                                        .anyMatch(line -> line.startsWith(check.label() + ":")))
                .findFirst();
    }
}
