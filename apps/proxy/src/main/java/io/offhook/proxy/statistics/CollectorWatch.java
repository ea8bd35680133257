package io.offhook.proxy.statistics;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Listens to the garbage collectors of the virtual machine. What a collector does beside the program (the cycles of ZGC, the
 * concurrent part of G1) is no pause and is left out.
 */
final class CollectorWatch implements AutoCloseable {
    private final List<Watched> collectors = new ArrayList<>();

    private record Watched(GarbageCollectorMXBean bean, AtomicLong mostMs, NotificationListener listener) {}

    CollectorWatch() {
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (isPause(bean.getName()) && bean instanceof NotificationEmitter emitter) {
                AtomicLong mostMs = new AtomicLong();
                NotificationListener listener = (notification, _) -> heard(notification, mostMs);
                emitter.addNotificationListener(listener, null, null);
                collectors.add(new Watched(bean, mostMs, listener));
            }
        }
    }

    static boolean isPause(String collector) {
        return !collector.contains("Cycles") && !collector.contains("Concurrent");
    }

    private static void heard(Notification notification, AtomicLong mostMs) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
                && notification.getUserData() instanceof CompositeData data) {
            long ms = GarbageCollectionNotificationInfo.from(data).getGcInfo().getDuration();
            mostMs.accumulateAndGet(ms, Math::max);
        }
    }

    List<CollectorFigure> figures() {
        List<CollectorFigure> figures = new ArrayList<>();
        for (Watched one : collectors) {
            figures.add(new CollectorFigure(
                    one.bean.getName(),
                    Math.max(0, one.bean.getCollectionCount()),
                    Math.max(0, one.bean.getCollectionTime()),
                    one.mostMs.get()));
        }
        return figures;
    }

    @Override
    public void close() {
        for (Watched one : collectors) {
            try {
                ((NotificationEmitter) one.bean).removeNotificationListener(one.listener);
            } catch (ListenerNotFoundException e) {
                // it is gone already
            }
        }
    }
}
