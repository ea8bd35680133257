package io.offhook.cli.threads;

import io.offhook.monitor.Deadlock;
import io.offhook.monitor.JavaLock;
import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaState;
import io.offhook.monitor.Pause;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.VirtualThreads;
import io.offhook.report.fields.JsonFields;
import java.util.List;
import java.util.Locale;

/** What threads of a JVM do, for programs. */
final class JavaFields {
    private static final double NS_A_SECOND = 1e9;
    private static final int DECIMALS = 4;
    private static final int MICROSECONDS = 6;

    private JavaFields() {}

    /** The name of a state as a field. */
    static String name(JavaState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** The shares of the states; nothing if there was no time. */
    static void states(JsonFields json, StateTimes times) {
        if (times.elapsedNs() > 0) {
            json.object("states");
            for (JavaState state : JavaState.values()) {
                json.field(name(state), times.share(state), DECIMALS);
            }
            json.end();
        }
    }

    /** What concerns the JVM as a whole. */
    static void write(JsonFields json, boolean isJvm, List<String> notes, JavaHistory history) {
        json.field("jvm", isJvm).array("notes");
        notes.forEach(json::element);
        json.end().array("pauses");
        for (Pause pause : history.pauses()) {
            json.line().object().time("at", pause.startNs());
            json.field("seconds", pause.durationNs() / NS_A_SECOND, MICROSECONDS)
                    .field("kind", pause.kind() == Pause.Kind.GC ? "gc" : "safepoint")
                    .field("cause", pause.cause())
                    .end();
        }
        json.end();
        JavaLook last = history.last();
        json.array("locks");
        for (JavaLock lock : last.locks()) {
            json.line().object().field("name", lock.name()).field("owner", lock.owner());
            json.array("waiters");
            lock.waiters().forEach(json::element);
            json.end().end();
        }
        json.end().array("deadlocks");
        for (Deadlock deadlock : last.deadlocks()) {
            json.line().object().array("waits");
            for (Deadlock.Wait wait : deadlock.waits()) {
                json.object()
                        .field("thread", wait.thread())
                        .field("lock", wait.lock())
                        .field("owner", wait.owner())
                        .end();
            }
            json.end().end();
        }
        json.end();
        VirtualThreads virtual = last.virtualThreads();
        if (virtual == null) {
            json.nullField("virtualThreads");
        } else {
            json.object("virtualThreads").field("mounted", virtual.mounted());
            count(json, "queued", virtual.queued());
            count(json, "parallelism", virtual.parallelism());
            json.end();
        }
    }

    /** The locks that threads waited for over time. */
    static void contention(JsonFields json, LockTotals locks) {
        json.array("contention");
        for (LockTotals.Contention one : locks.longest()) {
            json.line()
                    .object()
                    .field("lock", one.type())
                    .field("owner", one.owner())
                    .field("seconds", one.ns() / NS_A_SECOND, 3)
                    .time("first", one.firstNs());
            json.time("last", one.lastNs());
            json.field("mostWaiters", one.waiters().size()).array("waiters");
            one.waiters().forEach(json::element);
            json.end().end();
        }
        json.end();
    }

    private static void count(JsonFields json, String name, int count) {
        if (count < 0) {
            json.nullField(name);
        } else {
            json.field(name, count);
        }
    }
}
