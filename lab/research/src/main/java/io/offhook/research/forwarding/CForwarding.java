package io.offhook.research.forwarding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.research.NativeCode;
import io.offhook.research.Rounds;
import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** Forwarding by forwarding.c: a round is one call, without any Java code. */
final class CForwarding implements Rounds.Work {
    static final NativeCode CODE = new NativeCode("forwarding");

    private final MethodHandle round;
    private final MethodHandle digest;

    CForwarding(ForwardingKind kind, int processor) {
        MethodHandle open =
                CODE.downcall("forwarding_open", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        round = CODE.downcall("forwarding_round", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
        digest = CODE.downcall("forwarding_digest", FunctionDescriptor.of(JAVA_LONG));
        try {
            if ((int) open.invokeExact(kind.number, processor, ForwardingTechniques.GOING_ROUND) != 0) {
                throw new IllegalStateException("DPDK refuses, see above");
            }
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public long round(int number) {
        try {
            return (long) round.invokeExact((long) ForwardingTechniques.PACKETS);
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public long digest() {
        try {
            return (long) digest.invokeExact();
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }
}
