package io.offhook.research.call;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Single calls. The name of a method is {@code group_technique}. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CallBenchmark {
    /** The longest packet of an Ethernet. */
    private static final int LENGTH = 1500;

    private static final FunctionDescriptor NOTHING = FunctionDescriptor.ofVoid();
    private static final FunctionDescriptor WIRE = FunctionDescriptor.of(JAVA_INT, ADDRESS);
    private static final FunctionDescriptor SUM = FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_INT);
    private static final MethodHandle EMPTY = CallNatives.CODE.downcall("offhook_empty", NOTHING);
    private static final MethodHandle EMPTY_CRITICAL =
            CallNatives.CODE.downcall("offhook_empty", NOTHING, Linker.Option.critical(false));
    private static final MethodHandle WIRE_CRITICAL =
            CallNatives.CODE.downcall("offhook_wire", WIRE, Linker.Option.critical(false));
    private static final MethodHandle WIRE_FFM = CallNatives.CODE.downcall("offhook_wire", WIRE);
    private static final MethodHandle SUM_FFM = CallNatives.CODE.downcall("offhook_sum", SUM);
    private static final MethodHandle SUM_CRITICAL_HEAP =
            CallNatives.CODE.downcall("offhook_sum", SUM, Linker.Option.critical(true));
    private static final MethodHandle CALL_BACK =
            CallNatives.CODE.downcall("offhook_call_back", FunctionDescriptor.ofVoid(ADDRESS));
    private static final MemorySegment STUB = stub();

    private final MemorySegment header = Arena.ofAuto().allocate(16, 8);
    private final NativeHeader object = new NativeHeader(header.address());
    private final byte[] array = new byte[LENGTH];
    private final MemorySegment heap = MemorySegment.ofArray(array);
    private final MemorySegment direct = Arena.ofAuto().allocate(LENGTH);

    /** Created by JMH. */
    public CallBenchmark() {}

    static MemorySegment stub() {
        try {
            MethodHandle target = MethodHandles.lookup()
                    .findStatic(CallNatives.class, "calledBack", MethodType.methodType(void.class));
            return Linker.nativeLinker().upcallStub(target, NOTHING, Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Nothing but the loop that JMH makes. */
    @Benchmark
    public void empty_none() {}

    @Benchmark
    public void empty_JNI() {
        CallNatives.empty();
    }

    @Benchmark
    public void empty_FFM() throws Throwable {
        EMPTY.invokeExact();
    }

    @Benchmark
    public void empty_FFMCritical() throws Throwable {
        EMPTY_CRITICAL.invokeExact();
    }

    @Benchmark
    public void upcall_JNI() {
        CallNatives.callBack();
    }

    @Benchmark
    public void upcall_FFM() throws Throwable {
        CALL_BACK.invokeExact(STUB);
    }

    @Benchmark
    public int getter_JNILooksUpFieldAndAddress() {
        return object.wireLookedUp();
    }

    @Benchmark
    public int getter_JNILooksUpAddress() {
        return object.wireOfKnownField();
    }

    @Benchmark
    public int getter_JNIGivenTheAddress() {
        return CallNatives.wire(object.address());
    }

    @Benchmark
    public int getter_FFM() throws Throwable {
        return (int) WIRE_FFM.invokeExact(header);
    }

    @Benchmark
    public int getter_FFMCritical() throws Throwable {
        return (int) WIRE_CRITICAL.invokeExact(header);
    }

    /** No call at all. */
    @Benchmark
    public int getter_javaInPlace() {
        return header.get(JAVA_INT, 4);
    }

    @Benchmark
    public long array_JNIElements() {
        return CallNatives.sumElements(array, LENGTH);
    }

    @Benchmark
    public long array_JNIRegion() {
        return CallNatives.sumRegion(array, LENGTH);
    }

    @Benchmark
    public long array_JNIPrimitiveArrayCritical() {
        return CallNatives.sumCritical(array, LENGTH);
    }

    @Benchmark
    public long array_FFMCriticalOnHeap() throws Throwable {
        return (long) SUM_CRITICAL_HEAP.invokeExact(heap, LENGTH);
    }

    @Benchmark
    public long array_FFMCopiedToNative() throws Throwable {
        MemorySegment.copy(heap, 0, direct, 0, LENGTH);
        return (long) SUM_FFM.invokeExact(direct, LENGTH);
    }

    /** What lies in native memory already. */
    @Benchmark
    public long array_FFMInPlace() throws Throwable {
        return (long) SUM_FFM.invokeExact(direct, LENGTH);
    }
}
