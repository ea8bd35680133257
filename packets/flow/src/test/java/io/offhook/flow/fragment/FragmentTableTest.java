package io.offhook.flow.fragment;

import static io.offhook.flow.IpWire.LINK_HEADER;
import static io.offhook.flow.fragment.FragmentTable.Result.COMPLETE;
import static io.offhook.flow.fragment.FragmentTable.Result.DROPPED;
import static io.offhook.flow.fragment.FragmentTable.Result.DUPLICATE;
import static io.offhook.flow.fragment.FragmentTable.Result.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.IpWire;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams put together: order, repetition, overlap, contradictions, what was captured short. */
class FragmentTableTest {
    private final IpWire wire = new IpWire();
    private final byte[] whole = IpWire.payload(3000, 1);
    private final byte[] first = Arrays.copyOfRange(whole, 0, 1480);
    private final byte[] second = Arrays.copyOfRange(whole, 1480, 2960);
    private final byte[] third = Arrays.copyOfRange(whole, 2960, 3000);

    @AfterEach
    void close() {
        wire.close();
    }

    @Test
    void rebuildsAnIpv4Packet() {
        wire.options = 8;
        assertThat(wire.v4(7, 0, true, first)).isEqualTo(WAITING);
        wire.options = 0;
        assertThat(wire.v4(7, 1480, true, second)).isEqualTo(WAITING);
        assertThat(wire.v4(7, 2960, false, third)).isEqualTo(COMPLETE);
        assertThat(wire.datagramPayload(28)).isEqualTo(whole);
        assertThat(wire.u8(0)).isEqualTo(0x47);
        assertThat(wire.u16(2)).isEqualTo(3028);
        assertThat(wire.u16(6)).isZero();
        int sum = 0;
        for (int at = 0; at < 28; at += 2) {
            sum += wire.u16(at);
        }
        assertThat((sum & 0xffff) + (sum >>> 16)).isEqualTo(0xffff);
        assertThat(wire.table.isShort()).isFalse();
        assertThat(wire.table.fragmentCount()).isEqualTo(3);
        assertThat(wire.table.firstFrameNumber()).isEqualTo(1);
        assertThat(wire.table.firstTimestampNs()).isEqualTo(IpWire.START_NS);
        assertThat(wire.table.size()).isZero();
    }

    @Test
    void rebuildsAnIpv6PacketWithoutItsFragmentHeader() {
        wire.hopByHop = 16;
        wire.v6(0xcafe_f00d, 0, true, first);
        wire.v6(0xcafe_f00d, 1480, true, second);
        assertThat(wire.v6(0xcafe_f00d, 2960, false, third)).isEqualTo(COMPLETE);
        assertThat(wire.datagramPayload(56)).isEqualTo(whole);
        assertThat(wire.u16(4)).isEqualTo(3016);
        assertThat(wire.u8(6)).isZero();
        assertThat(wire.u8(40)).isEqualTo(IpWire.UDP);
    }

    @Test
    void announcesTheUpperLayerInTheFixedHeaderWhereNoOtherHeaderIs() {
        wire.v6(1, 0, true, first);
        wire.v6(1, 1480, true, second);
        wire.v6(1, 2960, false, third);
        assertThat(wire.u8(6)).isEqualTo(IpWire.UDP);
        assertThat(wire.u16(4)).isEqualTo(3000);
        assertThat(wire.datagramPayload(40)).isEqualTo(whole);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void takesFragmentsInAnyOrder(int version) {
        byte[][] parts = {first, second, third};
        int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (int[] order : orders) {
            for (int i = 0; i < 3; i++) {
                FragmentTable.Result result = wire.fragment(version, 5, order[i] * 1480, order[i] < 2, parts[order[i]]);
                assertThat(result).isEqualTo(i < 2 ? WAITING : COMPLETE);
            }
            assertThat(wire.datagramPayload(version == 4 ? 20 : 40)).isEqualTo(whole);
            wire.nowNs += 100 * IpWire.MS;
        }
        assertThat(wire.count(FragmentCounter.COMPLETED)).isEqualTo(6);
    }

    @Test
    void keepsDatagramsApartByAllOfTheirKey() {
        wire.v4(7, 0, true, first);
        wire.protocol = 6;
        assertThat(wire.v4(7, 1480, false, second)).isEqualTo(WAITING);
        wire.protocol = IpWire.UDP;
        wire.source++;
        assertThat(wire.v4(7, 1480, false, second)).isEqualTo(WAITING);
        wire.source--;
        wire.scope = 2;
        assertThat(wire.v4(7, 1480, false, second)).isEqualTo(WAITING);
        wire.scope = 0;
        assertThat(wire.v4(8, 1480, false, second)).isEqualTo(WAITING);
        assertThat(wire.v4(7, 1480, false, second)).isEqualTo(COMPLETE);
        assertThat(wire.table.size()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void recognisesFragmentsThatAMirrorDeliversTwice(int version) {
        assertThat(wire.fragment(version, 7, 0, true, first)).isEqualTo(WAITING);
        assertThat(wire.fragment(version, 7, 0, true, first)).isEqualTo(DUPLICATE);
        assertThat(wire.fragment(version, 7, 1480, false, second)).isEqualTo(COMPLETE);
        assertThat(wire.fragment(version, 7, 1480, false, second)).isEqualTo(DUPLICATE);
        assertThat(wire.count(FragmentCounter.DUPLICATES)).isEqualTo(2);
        assertThat(wire.table.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void recognisesAFragmentThatIsSentTwice(int version) {
        wire.fragment(version, 7, 0, true, first);
        wire.nowNs += 1000 * IpWire.MS;
        assertThat(wire.fragment(version, 7, 0, true, first)).isEqualTo(DUPLICATE);
        assertThat(wire.fragment(version, 7, 1480, false, second)).isEqualTo(COMPLETE);
        assertThat(wire.table.fragmentCount()).isEqualTo(2);
    }

    @Test
    void completesTheNextDatagramOfASenderThatNeverChangesTheIdentification() {
        wire.v4(1, 0, true, first);
        assertThat(wire.v4(1, 1480, false, second)).isEqualTo(COMPLETE);
        byte[] other = IpWire.payload(1480, 9);
        assertThat(wire.v4(1, 0, true, other)).isEqualTo(WAITING);
        assertThat(wire.v4(1, 1480, false, third)).isEqualTo(COMPLETE);
        assertThat(wire.datagramPayload(20)).startsWith(other);
    }

    @Test
    void keepsTheByteThatCameFirstWhereIpv4FragmentsOverlap() {
        byte[] other = IpWire.payload(1600, 2);
        wire.v4(7, 1480, true, second);
        assertThat(wire.v4(7, 0, true, other)).isEqualTo(WAITING);
        assertThat(wire.v4(7, 2800, false, Arrays.copyOf(other, 200))).isEqualTo(COMPLETE);
        byte[] expected = Arrays.copyOf(other, 3000);
        System.arraycopy(second, 0, expected, 1480, 1480);
        System.arraycopy(other, 160, expected, 2960, 40);
        assertThat(wire.datagramPayload(20)).isEqualTo(expected);
        assertThat(wire.count(FragmentCounter.OVERLAPS)).isEqualTo(2);
    }

    @Test
    void countsAnIpv4FragmentWithOtherBytesInTheSamePlaceAsOverlap() {
        wire.v4(7, 0, true, first);
        assertThat(wire.v4(7, 0, true, second)).isEqualTo(DUPLICATE);
        assertThat(wire.count(FragmentCounter.OVERLAPS)).isEqualTo(1);
        assertThat(wire.count(FragmentCounter.DUPLICATES)).isZero();
    }

    @Test
    void discardsAnIpv6DatagramWithAnOverlapAndAllThatComesForIt() {
        wire.v6(7, 0, true, first);
        assertThat(wire.v6(7, 1472, true, second)).isEqualTo(DROPPED);
        assertThat(wire.v6(7, 1480, true, second)).isEqualTo(DROPPED);
        assertThat(wire.v6(7, 2960, false, third)).isEqualTo(DROPPED);
        assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(1);
        assertThat(wire.count(FragmentCounter.OVERLAPS)).isEqualTo(1);
        assertThat(wire.count(FragmentCounter.AFTER_DISCARD)).isEqualTo(2);
        wire.nowNs += FragmentLimits.DEFAULT.timeoutNs() + 1;
        wire.v6(7, 0, true, first);
        assertThat(wire.v6(7, 1480, false, second)).isEqualTo(COMPLETE);
        assertThat(wire.count(FragmentCounter.TIMED_OUT)).isZero();
    }

    @Test
    void discardsAnIpv6DatagramForAFragmentInsideAnother() {
        wire.v6(7, 0, true, first);
        assertThat(wire.v6(7, 8, true, Arrays.copyOfRange(first, 8, 16))).isEqualTo(DROPPED);
        assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(1);
    }

    @Test
    void discardsAnIpv6DatagramForOtherBytesInTheSamePlace() {
        wire.v6(7, 0, true, first);
        assertThat(wire.v6(7, 0, true, second)).isEqualTo(DROPPED);
        assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void discardsADatagramWithTwoEnds(int version) {
        wire.fragment(version, 7, 1480, false, second);
        assertThat(wire.fragment(version, 7, 2960, false, third)).isEqualTo(DROPPED);
        assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void discardsADatagramWithAFragmentBehindItsEnd(int version) {
        assertThat(wire.fragment(version, 8, 2968, true, Arrays.copyOf(third, 40)))
                .isEqualTo(WAITING);
        assertThat(wire.fragment(version, 8, 1480, false, second)).isEqualTo(DROPPED);
        assertThat(wire.fragment(version, 9, 1480, false, second)).isEqualTo(WAITING);
        assertThat(wire.fragment(version, 9, 2960, true, Arrays.copyOf(third, 40)))
                .isEqualTo(DROPPED);
        assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void dropsFragmentsThatCannotBe(int version) {
        assertThat(wire.fragment(version, 7, 0, true, Arrays.copyOf(first, 1001)))
                .isEqualTo(DROPPED);
        assertThat(wire.fragment(version, 7, 0, true, new byte[0])).isEqualTo(DROPPED);
        assertThat(wire.fragment(version, 7, 8, false, new byte[0])).isEqualTo(DROPPED);
        assertThat(wire.fragment(version, 7, 65_528, false, Arrays.copyOf(first, 8)))
                .isEqualTo(DROPPED);
        assertThat(wire.fragment(version, 7, 64_800, true, Arrays.copyOf(first, 1480)))
                .isEqualTo(DROPPED);
        assertThat(wire.count(FragmentCounter.MALFORMED)).isEqualTo(5);
        assertThat(wire.table.size()).isZero();
    }

    @Test
    void discardsADatagramThatIsTooLongWithTheHeaderOfItsFirstFragment() {
        byte[] large = IpWire.payload(65_504, 3);
        wire.v4(7, 65_504, false, Arrays.copyOf(first, 8));
        wire.options = 8;
        assertThat(wire.v4(7, 0, true, large)).isEqualTo(DROPPED);
        assertThat(wire.count(FragmentCounter.DISCARDED)).isEqualTo(1);
        assertThat(wire.table.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void rebuildsTheLongestDatagram(int version) {
        int longest = version == 4 ? 65_515 : 65_535;
        byte[] bytes = IpWire.payload(longest, 4);
        int split = 32_000;
        wire.fragment(version, 7, split, false, Arrays.copyOfRange(bytes, split, longest));
        assertThat(wire.fragment(version, 7, 0, true, Arrays.copyOf(bytes, split)))
                .isEqualTo(COMPLETE);
        assertThat(wire.datagramPayload(version == 4 ? 20 : 40)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void rebuildsADatagramOfTinyFragments(int version) {
        byte[] bytes = IpWire.payload(8000, 5);
        for (int at = bytes.length - 8; at >= 0; at -= 8) {
            FragmentTable.Result result =
                    wire.fragment(version, 7, at, at + 8 < bytes.length, Arrays.copyOfRange(bytes, at, at + 8));
            assertThat(result).isEqualTo(at == 0 ? COMPLETE : WAITING);
        }
        assertThat(wire.datagramPayload(version == 4 ? 20 : 40)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void endsADatagramAtTheFirstByteThatWasNotCaptured(int version) {
        int header = version == 4 ? 20 : 40;
        FragmentTable.Result result = version == 4 ? wire.v4(7, 0, true, first) : wire.v6(7, 0, true, first);
        assertThat(result).isEqualTo(WAITING);
        result = version == 4 ? wire.v4(7, 1480, true, second, 100) : wire.v6(7, 1480, true, second, 100);
        assertThat(result).isEqualTo(WAITING);
        assertThat(wire.fragment(version, 7, 2960, false, third)).isEqualTo(COMPLETE);
        assertThat(wire.table.isShort()).isTrue();
        assertThat(wire.datagramPayload(header)).isEqualTo(Arrays.copyOf(whole, 1580));
        assertThat(version == 4 ? wire.u16(2) - 20 : wire.u16(4)).isEqualTo(3000);
        assertThat(wire.count(FragmentCounter.COMPLETED_SHORT)).isEqualTo(1);
    }

    @Test
    void acceptsADuplicateOfAFragmentThatWasCapturedShort() {
        wire.v6(7, 0, true, first, 100);
        wire.nowNs += 1000 * IpWire.MS;
        assertThat(wire.v6(7, 0, true, first, 100)).isEqualTo(DUPLICATE);
        assertThat(wire.v6(7, 1480, false, second)).isEqualTo(COMPLETE);
        assertThat(wire.datagramPayload(40)).isEqualTo(Arrays.copyOf(first, 100));
    }

    @Test
    void completesAnAtomicIpv6FragmentApartFromOthers() {
        wire.v6(7, 0, true, first);
        assertThat(wire.v6(7, 0, false, second)).isEqualTo(COMPLETE);
        assertThat(wire.datagramPayload(40)).isEqualTo(second);
        assertThat(wire.u8(6)).isEqualTo(IpWire.UDP);
        assertThat(wire.u16(4)).isEqualTo(1480);
        assertThat(wire.v6(7, 1480, false, second)).isEqualTo(COMPLETE);
    }

    @Test
    void returnsAnIpv4PacketThatIsNotAFragmentWhereItLies() {
        assertThat(wire.v4(7, 0, false, first)).isEqualTo(COMPLETE);
        assertThat(wire.table.datagram()).isSameAs(wire.frame);
        assertThat(wire.datagramPayload(20)).isEqualTo(first);
        assertThat(wire.table.size()).isZero();
    }

    @Test
    void takesFragmentsInsideOfItsOwnDatagrams() {
        // an inner datagram in two fragments, each in an outer datagram in two fragments: IP in IP
        wire.protocol = IpWire.UDP;
        FragmentTable.Result result = WAITING;
        for (int inner = 0; inner < 2; inner++) {
            int header = wire.writeV4(LINK_HEADER, 99, inner * 1480, inner == 0, 1480);
            MemorySegment.copy(
                    MemorySegment.ofArray(inner == 0 ? first : second), 0, wire.frame, LINK_HEADER + header, 1480);
            byte[] packet = wire.frame.asSlice(LINK_HEADER, header + 1480).toArray(ValueLayout.JAVA_BYTE);
            wire.protocol = 4;
            assertThat(wire.v4(inner, 0, true, Arrays.copyOf(packet, 1000))).isEqualTo(WAITING);
            assertThat(wire.v4(inner, 1000, false, Arrays.copyOfRange(packet, 1000, packet.length)))
                    .isEqualTo(COMPLETE);
            wire.protocol = IpWire.UDP;
            result = wire.table.add(
                    wire.table.datagram(),
                    wire.table.datagramOffset() + 20,
                    wire.table.datagramLength() - 20,
                    wire.nowNs,
                    wire.frameNumber,
                    1);
        }
        assertThat(result).isEqualTo(COMPLETE);
        assertThat(wire.datagramPayload(20)).isEqualTo(Arrays.copyOf(whole, 2960));
    }

    @Test
    void takesAnAtomicFragmentInsideOfItsOwnDatagram() {
        int header = wire.writeV6(LINK_HEADER, 99, 0, false, 1480);
        MemorySegment.copy(MemorySegment.ofArray(first), 0, wire.frame, LINK_HEADER + header, 1480);
        byte[] packet = wire.frame.asSlice(LINK_HEADER, header + 1480).toArray(ValueLayout.JAVA_BYTE);
        wire.protocol = 41;
        wire.v4(1, 0, true, Arrays.copyOf(packet, 1000));
        assertThat(wire.v4(1, 1000, false, Arrays.copyOfRange(packet, 1000, packet.length)))
                .isEqualTo(COMPLETE);
        FragmentTable.Result result =
                wire.table.add(wire.table.datagram(), 20, wire.table.datagramLength() - 20, wire.nowNs, 3, 1);
        assertThat(result).isEqualTo(COMPLETE);
        assertThat(wire.datagramPayload(40)).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void dropsHeadersOfEveryTruncatedLength(int version) {
        wire.options = 12;
        wire.hopByHop = 24;
        int header = version == 4
                ? wire.writeV4(LINK_HEADER, 7, 0, true, 1480)
                : wire.writeV6(LINK_HEADER, 7, 0, true, 1480);
        for (int length = 0; length < header; length++) {
            FragmentTable.Result result = wire.table.add(wire.frame, LINK_HEADER, length, wire.nowNs, 1, 0);
            assertThat(result).isEqualTo(DROPPED);
        }
        assertThat(wire.count(FragmentCounter.TRUNCATED)).isEqualTo(header);
        assertThat(wire.table.add(wire.frame, LINK_HEADER, header, wire.nowNs, 1, 0))
                .isEqualTo(WAITING);
    }

    @Test
    void dropsHeadersThatContradictThemselves() {
        wire.writeV4(LINK_HEADER, 7, 0, true, 1480);
        NetworkOrder.putU8(wire.frame, LINK_HEADER, 0x44);
        assertThat(wire.add(1500)).isEqualTo(DROPPED);
        wire.writeV4(LINK_HEADER, 7, 0, true, 1480);
        NetworkOrder.putU16(wire.frame, LINK_HEADER + 2, 19);
        assertThat(wire.add(1500)).isEqualTo(DROPPED);
        wire.writeV4(LINK_HEADER, 7, 0, true, 1480);
        NetworkOrder.putU8(wire.frame, LINK_HEADER, 0x55);
        assertThat(wire.add(1500)).isEqualTo(DROPPED);
        wire.writeV6(LINK_HEADER, 7, 0, true, 1480);
        NetworkOrder.putU16(wire.frame, LINK_HEADER + 4, 7);
        assertThat(wire.add(1500)).isEqualTo(DROPPED);
        wire.writeV6(LINK_HEADER, 7, 0, true, 1480);
        NetworkOrder.putU8(wire.frame, LINK_HEADER + 6, 17);
        assertThat(wire.add(1500)).isEqualTo(DROPPED);
        assertThat(wire.count(FragmentCounter.MALFORMED)).isEqualTo(5);
    }
}
