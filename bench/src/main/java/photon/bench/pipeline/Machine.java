package photon.bench.pipeline;

import java.lang.management.ManagementFactory;

/**
 * What the figures were taken on.
 *
 * @param loadBefore the system's load average before the first measured process
 * @param loadAfter and after the last; higher than the processors: something else ran
 */
record Machine(int processors, String java, String heap, double loadBefore, double loadAfter) {
    static Machine before() {
        double load = loadAverage();
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                MeasuredProcess.heap(),
                load,
                load);
    }

    Machine after() {
        return new Machine(processors, java, heap, loadBefore, loadAverage());
    }

    private static double loadAverage() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
