package io.offhook.packet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TcpOptionsTest {
    private final TcpOptions options = new TcpOptions();

    @Test
    void readsTheOptionsOfASyn() {
        GoldenFrame frame = GoldenFrame.of("tcpSyn");
        TcpView tcp = new TcpView();
        PacketWalker walker = frame.walk();
        int layer = walker.transport();
        assertThat(tcp.wrap(walker.segment(), walker.layerOffset(layer), walker.layerLength(layer)))
                .isEqualTo(WrapStatus.OK);
        tcp.options(options);

        assertThat(options.next()).isTrue();
        assertThat(options.kind()).isEqualTo(TcpOptions.MAXIMUM_SEGMENT_SIZE);
        assertThat(options.maximumSegmentSize()).isEqualTo(1460);
        assertThat(options.windowScale()).isZero();
        assertThat(options.next()).isTrue();
        assertThat(options.kind()).isEqualTo(TcpOptions.SACK_PERMITTED);
        assertThat(options.length()).isEqualTo(2);
        assertThat(options.next()).isTrue();
        assertThat(options.kind()).isEqualTo(TcpOptions.TIMESTAMPS);
        assertThat(options.timestampValue()).isEqualTo(1);
        assertThat(options.timestampEchoReply()).isEqualTo(2);
        assertThat(options.next()).isTrue();
        assertThat(options.kind()).isEqualTo(TcpOptions.WINDOW_SCALE);
        assertThat(options.windowScale()).isEqualTo(7);
        assertThat(options.next()).isFalse();
        assertThat(options.kind()).isEqualTo(TcpOptions.END);
        assertThat(options.isMalformed()).isFalse();
    }

    @Test
    void readsSackBlocks() {
        MemorySegment bytes = GoldenFrame.segment("01 01 05 12 0000000a 00000014 fffffff0 00000028");
        options.wrap(bytes, 0, (int) bytes.byteSize());

        assertThat(options.next()).isTrue();
        assertThat(options.sackBlockCount()).isEqualTo(2);
        assertThat(options.sackLeft(0)).isEqualTo(10);
        assertThat(options.sackRight(0)).isEqualTo(20);
        assertThat(options.sackLeft(1)).isEqualTo(0xfffffff0L);
        assertThat(options.sackRight(1)).isEqualTo(40);
        assertThat(options.sackLeft(2)).isZero();
        assertThat(options.sackLeft(-1)).isZero();
    }

    @Test
    void readsNoAddressIdOfTheAckThatEndsAMultipathJoin() {
        MemorySegment bytes = GoldenFrame.segment("1e 0c 10 05 01020304 05060708 1e 18 10 05" + "ab".repeat(20));
        options.wrap(bytes, 0, (int) bytes.byteSize());

        assertThat(options.next()).isTrue();
        assertThat(options.multipathAddressId()).isEqualTo(5);
        assertThat(options.multipathToken()).isEqualTo(0x01020304);
        assertThat(options.next()).isTrue();
        assertThat(options.multipathSubtype()).isEqualTo(1);
        assertThat(options.multipathAddressId()).as("reserved (RFC 8684, 3.2)").isZero();
        assertThat(options.multipathToken()).isZero();
    }

    @Test
    void overwritesAnOptionAndGoesOn() {
        MemorySegment bytes = GoldenFrame.segment("02 04 05b4 03 03 07");
        options.wrap(bytes, 0, (int) bytes.byteSize());

        assertThat(options.next()).isTrue();
        options.erase();
        assertThat(options.kind()).isEqualTo(TcpOptions.NO_OPERATION);
        assertThat(NetworkOrder.u32(bytes, 0)).isEqualTo(0x01010101);
        assertThat(options.next()).isTrue();
        assertThat(options.windowScale()).isEqualTo(7);
    }

    @Test
    void stepsOverUnknownKinds() {
        MemorySegment bytes = GoldenFrame.segment("1e 04 aabb 03 03 02 00 ff");
        options.wrap(bytes, 0, (int) bytes.byteSize());

        assertThat(options.next()).isTrue();
        assertThat(options.kind()).isEqualTo(0x1e);
        assertThat(options.dataLength()).isEqualTo(2);
        assertThat(NetworkOrder.u16(bytes, options.dataOffset())).isEqualTo(0xaabb);
        assertThat(options.next()).isTrue();
        assertThat(options.windowScale()).isEqualTo(2);
        assertThat(options.next()).as("the end of the list hides what follows").isFalse();
    }

    @Test
    void endsOnALengthThatCannotBe() {
        for (String hex : new String[] {"02 00", "02 01", "02 05 0000", "02"}) {
            MemorySegment bytes = GoldenFrame.segment(hex);
            options.wrap(bytes, 0, (int) bytes.byteSize());
            assertThat(options.next()).as(hex).isFalse();
            assertThat(options.isMalformed()).as(hex).isTrue();
            assertThat(options.next()).as(hex).isFalse();
        }
    }

    @Test
    void readsNothingOfAnOptionTooShortForItsKind() {
        MemorySegment bytes = GoldenFrame.segment("02 02 03 02 08 04 0000 05 03 00");
        options.wrap(bytes, 0, (int) bytes.byteSize());
        while (options.next()) {
            assertThat(options.maximumSegmentSize()).isZero();
            assertThat(options.windowScale()).isZero();
            assertThat(options.timestampValue() + options.timestampEchoReply()).isZero();
            assertThat(options.sackBlockCount()).isZero();
        }
    }

    @Test
    void endsOnAnyBytes() {
        Random random = new Random(3);
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(41)];
            random.nextBytes(bytes);
            MemorySegment segment = GoldenFrame.segment(bytes);
            options.wrap(segment, 0, bytes.length);
            int count = 0;
            while (options.next()) {
                count++;
                options.timestampEchoReply();
                options.sackRight(options.sackBlockCount() - 1);
                assertThat(options.dataOffset() + options.dataLength()).isLessThanOrEqualTo(bytes.length);
            }
            assertThat(count).isLessThanOrEqualTo(20);
        }
    }
}
