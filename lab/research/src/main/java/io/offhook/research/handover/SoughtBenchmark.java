package io.offhook.research.handover;

import io.offhook.research.handover.SoughtTrace.Kind;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Seeks RTP and SIP in all packets of {@link SoughtTrace}; one operation is one packet. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(SoughtTrace.PACKETS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class SoughtBenchmark {
    private final SoughtTrace trace = new SoughtTrace(Arena.ofAuto());
    private final SoughtLook presence = new SoughtLook.PresenceTest();
    private final SoughtLook presenceThenGet = new SoughtLook.PresenceTestThenGet();
    private final SoughtLook anew = new SoughtLook.PresenceTestAnew();
    private final SoughtLook get = new SoughtLook.Get();

    /** Created by JMH. */
    public SoughtBenchmark() {}

    /** All techniques find in each packet what was put into it. */
    @Setup
    public void check() {
        for (SoughtLook look : new SoughtLook[] {presence, presenceThenGet, anew, get}) {
            for (int i = 0; i < SoughtTrace.PACKETS; i++) {
                Kind found = look.look(trace.memory(), trace.offset(i), trace.length(i));
                if (found != trace.kind(i)) {
                    throw new IllegalStateException(look.getClass().getSimpleName() + " finds " + found + " in packet "
                            + i + ", which is " + trace.kind(i));
                }
            }
        }
    }

    private int all(SoughtLook look) {
        int found = 0;
        for (int i = 0; i < SoughtTrace.PACKETS; i++) {
            found += look.look(trace.memory(), trace.offset(i), trace.length(i)) == Kind.OTHER ? 0 : 1;
        }
        return found;
    }

    @Benchmark
    public int presenceTest() {
        return all(presence);
    }

    @Benchmark
    public int presenceTest_thenGet() {
        return all(presenceThenGet);
    }

    @Benchmark
    public int presenceTest_walkedAnewForEach() {
        return all(anew);
    }

    @Benchmark
    public int get() {
        return all(get);
    }
}
