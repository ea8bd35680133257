package io.offhook.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Text that OpenJDK 17.0.15 and 25.0.3 print. */
class ThreadDumpTest {
    private static final String OF_17 = """
            "waiter "q" x" #2 daemon prio=10 os_prio=0 cpu=0.25ms elapsed=2.54s tid=0x00007fd0d80f8380 nid=0x2cec in Object.wait()  [0x00007fd0b094c000]
               java.lang.Thread.State: WAITING (on object monitor)
            \tat java.lang.Object.wait(java.base@17.0.15/Native Method)
            \t- waiting on <0x000000069ec02f40> (a java.lang.ref.ReferenceQueue$Lock)
            \tat java.lang.ref.ReferenceQueue.remove(java.base@17.0.15/ReferenceQueue.java:155)
            \t- locked <0x000000069ec02f40> (a java.lang.ref.ReferenceQueue$Lock)

            "VM Thread" os_prio=0 cpu=1.78ms elapsed=3.37s tid=0x00007f16d40b0000 nid=0x2ceb runnable\s\s
            """;

    private static final String OF_25 = """
            "owner" #21 [11022] prio=5 os_prio=0 cpu=0.43ms elapsed=3.32s tid=0x00007f16d40dd440 nid=11022 waiting on condition  [0x00007f16d8feb000]
               java.lang.Thread.State: TIMED_WAITING (sleeping)
            \tat java.lang.Thread.sleepNanos0(java.base@25.0.3/Native Method)
            \t- locked <0x000000069ec17e78> (a java.lang.Object)

            "blocked" #22 [11064] prio=5 os_prio=0 cpu=0.14ms elapsed=3.11s tid=0x00007f16d40de7a0 nid=11064 waiting for monitor entry  [0x00007f16d8eeb000]
               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat D.lambda$main$1(D.java:5)
            \t- waiting to lock <0x000000069ec17e78> (a java.lang.Object)

            "lockwaiter" #25 [11082] prio=5 os_prio=0 cpu=1.85ms elapsed=2.90s tid=0x00007f16d40e26f0 nid=11082 waiting on condition  [0x00007f16d8beb000]
               java.lang.Thread.State: WAITING (parking)
            \tat jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)
            \t- parking to wait for  <0x000000069ec17fa0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)

            "ForkJoinPool-1-worker-1" #31 [11124] daemon prio=5 os_prio=0 cpu=1.72ms elapsed=2.75s tid=0x00007f16d40fb8a0 nid=11124 waiting on condition  [0x00007f16d86eb000]
               java.lang.Thread.State: WAITING (parking)
            \t- parking to wait for  <0x000000069ee9f0a0> (a java.util.concurrent.ForkJoinPool)

            "ForkJoinPool-1-worker-2" #33 [11126] daemon prio=5 os_prio=0 cpu=388.70ms elapsed=2.75s tid=0x00007f16d40fcb80  [0x00007f16d85ea000]
               Carrying virtual thread #37
            \tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)

            "G1 Service" os_prio=0 cpu=0.17ms elapsed=3.40s tid=0x00007f16d4089660 nid=11009 runnable\s\s

            JNI global refs: 4, weak refs: 0


            Found one Java-level deadlock:
            =============================
            "dead1":
              waiting to lock monitor 0x00007f168c002000 (object 0x000000069ec4f100, a java.lang.Object),
              which is held by "dead2"

            "dead2":
              waiting for ownable synchronizer 0x000000069ec4f0f0, (a java.util.concurrent.locks.ReentrantLock$NonfairSync),
              which is held by "dead1"

            Java stack information for the threads listed above:
            ===================================================
            "dead1":
            \tat D.lambda$main$5(D.java:10)

            Found 1 deadlock.
            """;

    @Test
    void readsTheHexadecimalNumbersOfOldJvms() {
        ThreadDump dump = ThreadDump.of(OF_17);
        ThreadDump.Dumped waiter = Objects.requireNonNull(dump.threads().get(0x2cec));
        assertThat(waiter.name).isEqualTo("waiter \"q\" x");
        assertThat(waiter.state).isEqualTo(JavaState.WAIT);
        assertThat(waiter.waitsFor).isEqualTo("java.lang.ref.ReferenceQueue$Lock@69ec02f40");
        assertThat(waiter.owned).isEmpty();
        assertThat(dump.others()).containsEntry(0x2ceb, "VM Thread").hasSize(1);
        assertThat(dump.locks()).isEmpty();
        assertThat(dump.carriers()).isZero();
    }

    @Test
    void readsStatesLocksAndCarriers() {
        ThreadDump dump = ThreadDump.of(OF_25);
        assertThat(dump.states())
                .containsEntry(11022, JavaState.SLEEPING)
                .containsEntry(11064, JavaState.MONITOR)
                .containsEntry(11082, JavaState.PARK)
                .containsEntry(11124, JavaState.PARK)
                .containsEntry(11126, JavaState.RUNNING)
                .hasSize(5);
        assertThat(dump.carriers()).isOne();
        assertThat(dump.locks())
                .containsExactly(
                        new JavaLock("java.lang.Object@69ec17e78", "owner", List.of("blocked")),
                        new JavaLock(
                                "java.util.concurrent.locks.ReentrantLock$NonfairSync@69ec17fa0",
                                null,
                                List.of("lockwaiter")));
    }

    @Test
    void readsDeadlocksOfMonitorsAndOfOtherLocks() {
        assertThat(ThreadDump.of(OF_25).deadlocks())
                .containsExactly(new Deadlock(List.of(
                        new Deadlock.Wait("dead1", "java.lang.Object@69ec4f100", "dead2"),
                        new Deadlock.Wait(
                                "dead2", "java.util.concurrent.locks.ReentrantLock$NonfairSync@69ec4f0f0", "dead1"))));
    }

    @Test
    void leavesOutWhatItDoesNotUnderstand() {
        ThreadDump dump = ThreadDump.of("\"broken\n   java.lang.Thread.State: RUNNABLE\n\t- locked <0x1> (a b)\n\"\n");
        assertThat(dump.threads()).isEmpty();
        assertThat(dump.deadlocks()).isEmpty();
        assertThat(ThreadDump.of("").threads()).isEmpty();
        for (int length = 0; length < OF_25.length(); length += 7) {
            assertThat(ThreadDump.of(OF_25.substring(0, length)).threads()).hasSizeLessThanOrEqualTo(5);
        }
    }
}
