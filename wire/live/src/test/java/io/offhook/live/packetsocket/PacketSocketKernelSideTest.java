package io.offhook.live.packetsocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/** The ring of a link without an interface. */
@EnabledIf(value = "io.offhook.testkit.network.Network#isPossible", disabledReason = "needs root")
@Timeout(60)
class PacketSocketKernelSideTest {
    private static final int MTU = 1500;
    private static final long TIME_NS = 1_700_000_000_123_456_789L;

    @SuppressWarnings("restricted")
    private static MemorySegment at(long address, int length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    @Test
    void theLinkTakesWhatWasDeliveredInOrderAroundTheRing() {
        try (PacketSocketLink link = PacketSocketLink.openUnbound(64, MTU)) {
            PacketSocketKernelSide kernel = link.kernelSide();
            int slots = 0;
            while (kernel.claim(60) >= 0) {
                put(kernel, slots++);
            }
            assertThat(slots).isGreaterThanOrEqualTo(64);
            for (int i = 0; i < 3 * slots; i++) {
                take(link, i);
                put(kernel, slots + i);
            }
            assertThat(kernel.claim(60)).isEqualTo(-1);
            assertThat(link.drops()).isZero();
        }
    }

    @Test
    void refusesAFrameThatIsTooLong() {
        try (PacketSocketLink link = PacketSocketLink.openUnbound(64, MTU)) {
            assertThat(link.kernelSide().claim(MTU + 18)).isPositive();
            assertThat(link.kernelSide().claim(2048)).isEqualTo(-1);
            assertThat(link.take()).isEqualTo(-1);
        }
    }

    private static void put(PacketSocketKernelSide kernel, int number) {
        at(kernel.claim(60), 60).set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
        kernel.deliver(60, TIME_NS + number);
    }

    private static void take(PacketSocketLink link, int number) {
        int slot = link.take();
        assertThat(slot).isNotNegative();
        assertThat(link.length(slot)).isEqualTo(60);
        assertThat(link.timestampNs(slot)).isEqualTo(TIME_NS + number);
        assertThat(at(link.address(slot), 60).get(ValueLayout.JAVA_INT_UNALIGNED, 0))
                .isEqualTo(number);
        link.release(slot);
    }
}
