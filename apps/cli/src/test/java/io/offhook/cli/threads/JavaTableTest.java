package io.offhook.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.cli.Offhook;
import io.offhook.monitor.Deadlock;
import io.offhook.monitor.JavaLock;
import io.offhook.monitor.JavaLook;
import io.offhook.monitor.JavaState;
import io.offhook.monitor.JavaThread;
import io.offhook.monitor.Pause;
import io.offhook.monitor.StateTimes;
import io.offhook.monitor.ThreadRow;
import io.offhook.monitor.ThreadUse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class JavaTableTest {
    private static final long SECOND = 1_000_000_000L;

    private static ThreadRow row(int id, String name) {
        ThreadUse use = new ThreadUse(SECOND, SECOND / id, 0, 0, 1, 0, 0);
        return new ThreadRow(id, name, 'S', 0, use, use, use);
    }

    private static JavaThread thread(int id, String name, StateTimes last, StateTimes total) {
        return new JavaThread(id, name, JavaState.PARK, last, total, null);
    }

    private static final StateTimes RUNNING = new StateTimes(SECOND, 0, 0, 0, 0);
    private static final StateTimes BLOCKED = new StateTimes(SECOND / 4, 0, 0, 0, SECOND * 3 / 4);

    private static JavaHistory history() {
        JavaHistory history = new JavaHistory();
        List<ThreadRow> rows = List.of(row(4, "a name that is l"), row(8, "GC Thread#0"));
        Map<Integer, String> others = Map.of(8, "GC Thread#0");
        String name = "a name that is longer than fifteen bytes";
        Pause collection = new Pause(1, 12_345_678, Pause.Kind.GC, "G1 Evacuation Pause");
        Pause safepoint = new Pause(2, 1_000_000, Pause.Kind.SAFEPOINT, "PrintThreads");
        history.add(
                rows,
                new JavaLook(
                        Map.of(4, thread(4, name, RUNNING, RUNNING)),
                        others,
                        List.of(),
                        List.of(),
                        List.of(collection, safepoint),
                        null));
        history.add(
                rows,
                new JavaLook(
                        Map.of(4, thread(4, name, BLOCKED, RUNNING.plus(BLOCKED))),
                        others,
                        List.of(new JavaLock("java.lang.Object@1", "another", List.of(name))),
                        List.of(new Deadlock(List.of(
                                new Deadlock.Wait("one", "A@1", "two"), new Deadlock.Wait("two", "B@2", "one")))),
                        List.of(),
                        null));
        return history;
    }

    @Test
    void lanesHaveTheStateOfMostOfEachInterval() {
        JavaHistory history = history();
        JavaHistory.Entry entry = Objects.requireNonNull(history.of(4));
        assertThat(JavaHistory.lane(entry, 10)).isEqualTo("RM");
        assertThat(JavaHistory.lane(entry, 1)).isEqualTo("M");
        assertThat(history.stops(10)).isEqualTo("G.");
        JavaHistory.Entry collector = Objects.requireNonNull(history.of(8));
        assertThat(JavaHistory.lane(collector, 10)).isEqualTo("..");
        assertThat(collector.name()).isEqualTo("GC Thread#0");
    }

    @Test
    void lanesAreBounded() {
        JavaHistory history = new JavaHistory();
        for (int i = 0; i < 2 * JavaHistory.LANE; i++) {
            history.add(
                    List.of(row(1, "a")),
                    new JavaLook(
                            Map.of(1, thread(1, "a", RUNNING, RUNNING)),
                            Map.of(),
                            List.of(),
                            List.of(),
                            List.of(new Pause(i, 1, Pause.Kind.GC, "cause")),
                            null));
        }
        JavaHistory.Entry entry = Objects.requireNonNull(history.of(1));
        assertThat(JavaHistory.lane(entry, Integer.MAX_VALUE)).isEqualTo("R".repeat(JavaHistory.LANE));
        JavaHistory.Sum sum = Objects.requireNonNull(history.sum(Pause.Kind.GC));
        assertThat(sum.count()).isEqualTo(2 * JavaHistory.LANE);
    }

    @Test
    void aThreadThatEndedIsThereUntilTheNextLook() {
        JavaHistory history = new JavaHistory();
        ThreadUse use = new ThreadUse(SECOND, 0, 0, 0, 0, 0, 0);
        history.add(List.of(new ThreadRow(1, "a", 'X', 0, use, use, use)), JavaLook.NOTHING);
        assertThat(history.of(1)).isNotNull();
        history.add(List.of(), JavaLook.NOTHING);
        assertThat(history.of(1)).isNull();
    }

    @Test
    void threadsOfAJvmHaveStatesOfJavaOnATerminalAndInJson() {
        String out = Offhook.done("threads", "self", "--for", "0.4", "--every", "0.2", "--color", "never")
                .out();
        assertThat(out).contains("Monitor").contains("R running").contains("does not attach to itself");
        assertThat(out).containsPattern(" [.RSWPM]{1,2} ");
        String json = Offhook.done("threads", "self", "--for", "0.4", "--every", "0.2", "--format", "json")
                .out();
        assertThat(json).contains("\"jvm\":true").contains("\"deadlocks\":[]").contains("\"monitor\":");
    }
}
