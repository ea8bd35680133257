package io.offhook.flow.fragment;

import static io.offhook.flow.IpWire.MS;
import static io.offhook.flow.IpWire.payload;
import static io.offhook.flow.fragment.FragmentTable.Result.COMPLETE;
import static io.offhook.flow.fragment.FragmentTable.Result.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.IpWire;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams that stay incomplete are told as far as they go. */
class DatagramBeginningTest {
    private static final FragmentLimits LIMITS = new FragmentLimits(4, 1 << 17, 10, 30_000 * MS);

    /** What was told of a datagram: all bytes of it, from the IP header on. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Told(byte[] bytes, int wireLength, long timestampNs, long frameNumber) {}

    private final List<Told> reported = new ArrayList<>();
    private boolean isOfUse = true;

    private IpWire wire() {
        return new IpWire(LIMITS, (segment, offset, length, wireLength, timestampNs, frameNumber) -> {
            byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            reported.add(new Told(bytes, wireLength, timestampNs, frameNumber));
            // what was lent must not be needed any more
            segment.asSlice(offset, length).fill((byte) '#');
            return isOfUse;
        });
    }

    private static byte[] tail(byte[] bytes, int length) {
        return Arrays.copyOfRange(bytes, bytes.length - length, bytes.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void areToldAtTheEnd(int version) {
        try (IpWire wire = wire()) {
            byte[] first = payload(1400, 1);
            byte[] second = payload(800, 2);
            wire.fragment(version, 7, 0, true, first);
            wire.fragment(version, 7, 1400, true, second);
            wire.table.flush();
            assertThat(reported).hasSize(1);
            Told one = reported.getFirst();
            int header = version == 4 ? 20 : 40;
            assertThat(one.bytes).hasSize(header + 2200);
            assertThat(tail(one.bytes, 800)).isEqualTo(second);
            assertThat(Arrays.copyOfRange(one.bytes, header, header + 1400)).isEqualTo(first);
            // how long it is nobody told
            assertThat(one.wireLength).isEqualTo(version == 4 ? 65_535 : 40 + 65_535);
            assertThat(one.timestampNs).isEqualTo(IpWire.START_NS);
            assertThat(one.frameNumber).isEqualTo(1);
            assertThat(wire.count(FragmentCounter.UNFINISHED)).isEqualTo(1);
        }
    }

    @Test
    void endWhereTheFirstByteIsMissing() {
        try (IpWire wire = wire()) {
            wire.v4(7, 0, true, payload(800, 1));
            wire.v4(7, 1600, false, payload(100, 3)); // the one before it never comes; the length is known
            wire.v4(8, 0, true, payload(800, 1), 300); // captured short
            wire.v4(9, 800, false, payload(100, 1)); // without the first
            wire.table.flush();
            assertThat(reported).hasSize(2);
            assertThat(reported.getFirst().bytes).hasSize(20 + 800);
            assertThat(reported.getFirst().wireLength).isEqualTo(20 + 1700);
            assertThat(reported.getLast().bytes).hasSize(20 + 300);
        }
    }

    @Test
    void areWholePacketsToAWalker() {
        try (IpWire wire = wire()) {
            byte[] udp = payload(400, 1);
            udp[4] = 0x08; // a datagram of 2,048 bytes
            udp[5] = 0;
            wire.v4(7, 0, true, udp);
            wire.table.flush();
            Told one = reported.getFirst();
            MemorySegment copy = Arena.ofAuto().allocate(one.bytes.length);
            MemorySegment.copy(one.bytes, 0, copy, ValueLayout.JAVA_BYTE, 0, one.bytes.length);
            PacketWalker walker = new PacketWalker();
            walker.walk(copy, 0, one.bytes.length, one.wireLength, LinkType.RAW);
            assertThat(walker.outermostFragment()).isNegative();
            assertThat(walker.payloadLength()).isEqualTo(392);
            assertThat(walker.payloadWireLength()).isEqualTo(2040);
        }
    }

    @Test
    void areToldOnceWhenTheyWaitedAndWaitOn() {
        try (IpWire wire = wire()) {
            wire.v4(7, 0, true, payload(800, 1));
            wire.nowNs += 5 * MS;
            wire.v4(8, 0, true, payload(800, 2));
            wire.table.reportBeginnings(wire.nowNs, 5 * MS);
            assertThat(reported).hasSize(1);
            wire.table.reportBeginnings(wire.nowNs, 5 * MS);
            assertThat(reported).hasSize(1);
            assertThat(wire.v4(7, 800, false, payload(100, 1))).isEqualTo(COMPLETE);
            assertThat(wire.table.isBeginningReported()).isTrue();
            assertThat(wire.v4(8, 800, false, payload(100, 1))).isEqualTo(COMPLETE);
            assertThat(wire.table.isBeginningReported()).isFalse();
            wire.table.flush();
            assertThat(reported).hasSize(1);
        }
    }

    @Test
    void thatWereOfNoUseAreForgotten() {
        isOfUse = false;
        try (IpWire wire = wire()) {
            wire.v4(7, 0, true, payload(800, 1));
            wire.table.reportBeginnings(wire.nowNs, -1);
            wire.table.reportBeginnings(wire.nowNs, -1);
            assertThat(reported).hasSize(1);
            assertThat(wire.v4(7, 800, false, payload(100, 1))).isEqualTo(COMPLETE);
            assertThat(wire.table.isBeginningReported()).isFalse();
        }
    }

    @Test
    void areToldWhenTheyGiveWayOrTimeOut() {
        try (IpWire wire = wire()) {
            for (int id = 1; id <= 5; id++) {
                assertThat(wire.v4(id, 0, true, payload(800, id))).isEqualTo(WAITING);
            }
            assertThat(reported).hasSize(1);
            assertThat(reported.getFirst().frameNumber).isEqualTo(1);
            wire.nowNs += 31_000 * MS;
            wire.v4(5, 0, true, payload(808, 5));
            assertThat(reported).hasSize(2);
            assertThat(reported.getLast().frameNumber).isEqualTo(5);
        }
    }

    /** Somebody tries to say two things in one place: nothing is believed. */
    @Test
    void areNotToldOfWhatIsDiscarded() {
        try (IpWire wire = wire()) {
            wire.v4(7, 0, true, payload(800, 1));
            wire.v4(7, 1600, false, payload(100, 1));
            wire.v4(7, 2400, false, payload(100, 1)); // another last one
            wire.v6(8, 0, true, payload(800, 1));
            wire.v6(8, 400, true, payload(800, 2)); // overlaps
            wire.table.flush();
            assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(2);
            assertThat(reported).isEmpty();
        }
    }
}
