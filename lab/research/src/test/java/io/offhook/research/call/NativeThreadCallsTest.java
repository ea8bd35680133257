package io.offhook.research.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.research.NativeCode;
import io.offhook.research.call.NativeThreadCalls.Way;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NativeThreadCallsTest {
    private static final List<Thread> CALLERS = new ArrayList<>();

    @BeforeAll
    static void assumeNativeCode() {
        String missing = new NativeCode("call").missing();
        assumeTrue(missing == null, () -> "not compared: " + missing);
    }

    @ParameterizedTest
    @EnumSource
    void everyCallOfTheThreadComesToJava(Way way) {
        try (Arena arena = Arena.ofConfined()) {
            long before = CallNatives.callsBack;
            long[] ns = NativeThreadCalls.thread(way, 500, CallBenchmark.stub(), arena);
            assertThat(CallNatives.callsBack - before).isEqualTo(500);
            assertThat(ns[0]).isPositive();
            assertThat(ns[1]).isPositive();
        }
    }

    @Test
    void ffmAttachesTheThreadUntilItEnds() throws ReflectiveOperationException {
        CALLERS.clear();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment stub = Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup()
                                    .findStatic(
                                            NativeThreadCallsTest.class, "remember", MethodType.methodType(void.class)),
                            FunctionDescriptor.ofVoid(),
                            arena);
            NativeThreadCalls.thread(Way.FFM, 3, stub, arena);
        }
        assertThat(CALLERS).hasSize(3).containsOnly(CALLERS.getFirst());
        assertThat(CALLERS.getFirst()).isNotEqualTo(Thread.currentThread());
        assertThat(CALLERS.getFirst().isDaemon()).isTrue();
    }

    /** Called by native code. */
    static void remember() {
        CALLERS.add(Thread.currentThread());
    }
}
