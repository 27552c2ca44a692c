package photon.bench.pipeline.process;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Counts the bytes that this Java VM has allocated on its heap: what was in use before each
 * collection, less what was left by the one before. Unlike the threads' own counts, this has what
 * threads allocated that have ended since.
 *
 * <p>Exact for collectors that stop the world, which is why measured processes use the parallel
 * one.
 */
final class AllocatedBytes implements NotificationListener {
    /** A collection is reported by another thread, a moment later. */
    private static final long REPORTED_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

    private final Set<String> heapPools = new HashSet<>();
    private final long collectionsBefore;
    private long collections; // guarded by this, as is all below
    private long allocated;
    private long leftByLast;

    private AllocatedBytes() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                heapPools.add(pool.getName());
            }
        }
        collectionsBefore = collectionsOfVm();
    }

    /** Counts from the start of the VM, if none of its collections was before this. */
    static AllocatedBytes count() {
        AllocatedBytes counter = new AllocatedBytes();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener(counter, null, null);
        }
        return counter;
    }

    private static long collectionsOfVm() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    @Override
    public void handleNotification(Notification notification, Object handback) {
        GcInfo info =
                GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                        .getGcInfo();
        collected(used(info.getMemoryUsageBeforeGc()), used(info.getMemoryUsageAfterGc()));
    }

    private synchronized void collected(long before, long after) {
        allocated += Math.max(0, before - leftByLast);
        leftByLast = after;
        collections++;
        notifyAll();
    }

    private long used(Map<String, MemoryUsage> pools) {
        return pools.entrySet().stream()
                .filter(pool -> heapPools.contains(pool.getKey()))
                .mapToLong(pool -> pool.getValue().getUsed())
                .sum();
    }

    /** So far, once every collection is known. */
    synchronized long total() throws InterruptedException {
        long deadline = System.nanoTime() + REPORTED_NANOS_MAX;
        while (collections < collectionsOfVm() - collectionsBefore) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        long inUse = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return allocated + Math.max(0, inUse - leftByLast);
    }
}
