package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds what is said of the threads of a JVM against what they know themselves. */
@EnabledOnOs(OS.LINUX)
class JavaWatchTest {
    private static final long LOOK_NS = 1_000_000_000L;
    private static final double EXACT = 0.02;
    /** The least looks after which shares are compared, and the most until they agree. */
    private static final int LOOKS = 12;

    private static final int MOST_LOOKS = 120;
    /** Until places where threads wait are known, and the JVM has compiled what they do. */
    private static final int WARM_UP = 5;

    static List<Path> homes() {
        return KnownJvm.homes();
    }

    private static JavaLook look(JavaWatch java, ThreadWatch watch) {
        LockSupport.parkNanos(LOOK_NS);
        return java.look(watch.look());
    }

    private static Map<String, StateTimes> totals(JavaLook look) {
        Map<String, StateTimes> totals = new HashMap<>();
        look.threads().values().forEach(thread -> totals.put(thread.name(), thread.total()));
        return totals;
    }

    /** Where processors are short, threads that sample and threads that are sampled are late: by how much, the kernel knows. */
    private static double pressureNs() throws IOException {
        Path pressure = Path.of("/proc/pressure/cpu");
        if (!Files.isReadable(pressure)) {
            return 0;
        }
        String text = Files.readString(pressure);
        int total = text.indexOf("total=") + "total=".length();
        return 1000.0 * Long.parseLong(text.substring(total, text.indexOf('\n', total)));
    }

    /**
     * States are sampled, so a short time says little of a thread that changes its state twice a second: the shares have to come
     * within two points as the time goes on, which those of a wrong state never do.
     */
    @ParameterizedTest
    @MethodSource("homes")
    void statesAreTrueWithinTwoPercentagePoints(Path home) throws Exception {
        try (KnownJvm jvm = new KnownJvm(home, List.of(), "0");
                JavaWatch java = JavaWatch.of(jvm.pid());
                ThreadWatch watch = ThreadWatch.of(jvm.pid())) {
            for (int i = 0; i < WARM_UP; i++) {
                look(java, watch);
            }
            double pressureNs = pressureNs();
            Map<String, StateTimes> before = totals(look(java, watch));
            Map<String, StateTimes> begun = jvm.truth();
            long beganNs = System.nanoTime();
            List<String> wrong = List.of("not looked at");
            for (int i = 1; i <= MOST_LOOKS && !wrong.isEmpty(); i++) {
                Map<String, StateTimes> now = totals(look(java, watch));
                if (i >= LOOKS) {
                    Map<String, StateTimes> truth = jvm.truth();
                    assertThat(truth).hasSizeGreaterThanOrEqualTo(10).hasSameSizeAs(begun);
                    assertThat(now).containsKeys(truth.keySet().toArray(new String[0]));
                    double pressure = (pressureNs() - pressureNs) / (System.nanoTime() - beganNs);
                    wrong = wrong(before, now, begun, truth, EXACT + pressure / 2);
                }
            }
            assertThat(wrong).isEmpty();
            assertThat(java.notes()).isEmpty();
        }
    }

    /** The threads and states of which more or less is said than is true. */
    private static List<String> wrong(
            Map<String, StateTimes> before,
            Map<String, StateTimes> now,
            Map<String, StateTimes> begun,
            Map<String, StateTimes> truth,
            double within) {
        List<String> wrong = new ArrayList<>();
        truth.forEach((name, known) -> {
            for (JavaState state : JavaState.values()) {
                double seen = share(before.get(name), now.get(name), state);
                double is = share(begun.get(name), known, state);
                if (Math.abs(seen - is) > within) {
                    wrong.add("%s %s: %.3f for %.3f, within %.3f".formatted(name, state, seen, is, within));
                }
            }
        });
        return wrong;
    }

    private static double share(@Nullable StateTimes before, @Nullable StateTimes after, JavaState state) {
        StateTimes from = Objects.requireNonNull(before);
        StateTimes to = Objects.requireNonNull(after);
        return (double) (to.ns(state) - from.ns(state)) / (to.elapsedNs() - from.elapsedNs());
    }

    @ParameterizedTest
    @MethodSource("homes")
    void joinsNamesWithNativeIdsAndFindsOwnersAndDeadlocks(Path home) throws Exception {
        try (KnownJvm jvm = new KnownJvm(home, List.of(), "0", "deadlock");
                JavaWatch java = JavaWatch.of(jvm.pid());
                ThreadWatch watch = ThreadWatch.of(jvm.pid())) {
            JavaLook look = look(java, watch);
            while (look.deadlocks().isEmpty()) {
                look = look(java, watch);
            }
            for (ThreadRow row : watch.look()) {
                JavaThread thread = look.threads().get(row.id());
                if (thread != null && thread.name().startsWith("blocks for")) {
                    assertThat(thread.name()).isEqualTo("blocks for a long time");
                    assertThat(row.name()).isEqualTo("blocks for a lo");
                    assertThat(thread.state()).isEqualTo(JavaState.MONITOR);
                    assertThat(thread.waitsFor()).startsWith("java.lang.Object@");
                }
            }
            assertThat(look.otherNames()).containsValue("VM Thread");
            assertThat(look.locks()).anySatisfy(lock -> {
                assertThat(lock.owner()).isEqualTo("owns the monitor");
                assertThat(lock.waiters()).containsExactly("blocks for a long time");
            });
            assertThat(look.locks()).anySatisfy(lock -> {
                assertThat(lock.name()).startsWith("java.util.concurrent.locks.ReentrantLock$NonfairSync@");
                assertThat(lock.waiters()).containsExactly("wants the lock");
            });
            assertThat(look.deadlocks()).hasSize(1).first().satisfies(deadlock -> {
                assertThat(deadlock.waits()).extracting(Deadlock.Wait::thread).containsExactlyInAnyOrder("one", "two");
                assertThat(deadlock.waits()).extracting(Deadlock.Wait::owner).containsExactlyInAnyOrder("one", "two");
                assertThat(deadlock.waits())
                        .extracting(Deadlock.Wait::lock)
                        .anyMatch(lock -> lock.startsWith("java.lang.Class for KnownThreads@"));
            });
        }
    }

    @ParameterizedTest
    @MethodSource("homes")
    void reportsPausesWithTheirCauses(Path home) throws Exception {
        try (KnownJvm jvm = new KnownJvm(home, List.of(), "0", "gc");
                JavaWatch java = JavaWatch.of(jvm.pid());
                ThreadWatch watch = ThreadWatch.of(jvm.pid())) {
            List<Pause> pauses = List.of();
            while (pauses.stream().noneMatch(pause -> pause.kind() == Pause.Kind.GC)
                    || pauses.stream().noneMatch(pause -> pause.kind() == Pause.Kind.SAFEPOINT)) {
                pauses = look(java, watch).pauses();
                assertThat(java.notes()).isEmpty();
            }
            long nowNs = System.currentTimeMillis() * 1_000_000;
            assertThat(pauses).allSatisfy(pause -> {
                assertThat(pause.durationNs()).isPositive();
                assertThat(pause.startNs()).isBetween(nowNs - 600 * LOOK_NS, nowNs);
            });
            assertThat(pauses)
                    .filteredOn(pause -> pause.kind() == Pause.Kind.GC)
                    .extracting(Pause::cause)
                    .contains("System.gc()");
        }
    }

    @Test
    void seesStatesWhereTheJvmCannotBeAttachedTo() throws Exception {
        try (KnownJvm jvm = new KnownJvm(KnownJvm.OWN, List.of("-XX:+DisableAttachMechanism"), "0");
                JavaWatch java = JavaWatch.of(jvm.pid());
                ThreadWatch watch = ThreadWatch.of(jvm.pid())) {
            assertThat(java.isJvm()).isTrue();
            assertThat(java.notes()).hasSize(1).first().asString().contains("cannot be attached to");
            JavaLook look = look(java, watch);
            while (look.threads().values().stream()
                    .noneMatch(thread -> thread.last().elapsedNs() > 0)) {
                look = look(java, watch);
            }
            assertThat(look.threads().values()).anySatisfy(thread -> {
                assertThat(thread.name()).isEqualTo("blocks for a lo");
                assertThat(thread.last().share(JavaState.MONITOR)).isGreaterThan(0.9);
            });
            assertThat(look.locks()).isEmpty();
        }
    }

    @Test
    void keepsQuietWhenTheJvmEnds() throws Exception {
        try (KnownJvm jvm = new KnownJvm(KnownJvm.OWN, List.of(), "0");
                JavaWatch java = JavaWatch.of(jvm.pid());
                ThreadWatch watch = ThreadWatch.of(jvm.pid())) {
            assertThat(look(java, watch).threads()).isNotEmpty();
            jvm.kill();
            List<ThreadRow> rows = watch.look();
            while (!watch.isOver()) {
                rows = watch.look();
            }
            java.look(rows);
            assertThat(java.look(watch.look()).threads()).isEmpty();
        }
    }

    @Test
    void hasNothingOfAProcessThatIsNoJvm() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try (JavaWatch java = JavaWatch.of(process.pid());
                ThreadWatch watch = ThreadWatch.of(process.pid())) {
            assertThat(java.isJvm()).isFalse();
            assertThat(java.notes()).isEmpty();
            assertThat(java.look(watch.look())).isEqualTo(JavaLook.NOTHING);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void seesStatesOfItsOwnProcess() throws Exception {
        long pid = ProcessHandle.current().pid();
        try (JavaWatch java = JavaWatch.of(pid);
                ThreadWatch watch = ThreadWatch.of(pid)) {
            assertThat(java.notes()).hasSize(1).first().asString().contains("does not attach to itself");
            JavaLook look = look(java, watch);
            while (look.threads().values().stream()
                    .noneMatch(thread -> thread.last().elapsedNs() > 0)) {
                look = look(java, watch);
            }
            assertThat(look.pauses()).isEmpty();
        }
    }
}
