package io.offhook.packet.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.LinkType;
import io.offhook.packet.walk.GoldenFrame;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.write.WrittenSample;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VlanTagTest {
    private static final int HEADROOM = 16;

    /** A frame with room before it, and a guard behind. */
    private static MemorySegment withHeadroom(byte[] frame) {
        MemorySegment segment =
                Arena.ofAuto().allocate(HEADROOM + frame.length + 8L).fill((byte) 0x5a);
        MemorySegment.copy(frame, 0, segment, ValueLayout.JAVA_BYTE, HEADROOM, frame.length);
        return segment;
    }

    private static byte[] bytes(MemorySegment segment, long offset, int length) {
        return segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    @Test
    void pushesATagBetweenAddressesAndType() {
        MemorySegment segment =
                withHeadroom(HexFormat.of().parseHex("020000000002" + "020000000001" + "0800" + "4500"));
        long start = VlanTag.push(segment, HEADROOM, 16, VlanTag.CUSTOMER, 100, 5, true);
        assertThat(start).isEqualTo(HEADROOM - 4);
        assertThat(HexFormat.of().formatHex(bytes(segment, start, 20)))
                .isEqualTo("020000000002" + "020000000001" + "8100" + "b064" + "0800" + "4500");
        assertThat(segment.get(ValueLayout.JAVA_BYTE, start - 1)).isEqualTo((byte) 0x5a);
        assertThat(segment.get(ValueLayout.JAVA_BYTE, HEADROOM + 16L)).isEqualTo((byte) 0x5a);
    }

    /** Any frame, tagged three times: the walker finds the tags, outermost first, and popped again it is what it was. */
    @Test
    void popsWhatWasPushed() {
        PacketWalker walker = new PacketWalker();
        int frames = 0;
        for (WrittenSample sample : WrittenSample.all()) {
            if (sample.linkType() != LinkType.ETHERNET) {
                continue;
            }
            byte[] frame = sample.bytes();
            MemorySegment segment = withHeadroom(frame);
            long start = VlanTag.push(segment, HEADROOM, frame.length, VlanTag.CUSTOMER, 7);
            start = VlanTag.push(segment, start, frame.length + 4, 0x9100, 8);
            start = VlanTag.push(segment, start, frame.length + 8, VlanTag.SERVICE, 9);
            assertThat(start).isEqualTo(HEADROOM - 12);
            walker.walk(segment, start, frame.length + 12, frame.length + 12, LinkType.ETHERNET);
            VlanView tag = new VlanView();
            for (int i = 0; i < 3; i++) {
                assertThat(walker.wrap(tag, 1 + i)).isTrue();
                assertThat(tag.id()).isEqualTo(9 - i);
            }
            int length = frame.length + 12;
            for (int i = 0; i < 3; i++) {
                start = VlanTag.pop(segment, start, length);
                length -= 4;
            }
            assertThat(start).isEqualTo(HEADROOM);
            assertThat(bytes(segment, start, length)).as(sample.name()).isEqualTo(frame);
            frames++;
        }
        assertThat(frames).isGreaterThan(20);
    }

    @Test
    void leavesWhatHasNoTagOrIsCutOffInIt() {
        byte[] plain = GoldenFrame.of("udp").bytes();
        MemorySegment segment = withHeadroom(plain);
        assertThat(VlanTag.pop(segment, HEADROOM, plain.length)).isEqualTo(HEADROOM);
        assertThat(bytes(segment, HEADROOM, plain.length)).isEqualTo(plain);

        byte[] tagged = GoldenFrame.of("vlanUdp6").bytes();
        for (int length = 0; length < 18; length++) {
            MemorySegment cut = withHeadroom(Arrays.copyOf(tagged, length));
            byte[] before = cut.toArray(ValueLayout.JAVA_BYTE);
            assertThat(VlanTag.pop(cut, HEADROOM, length)).isEqualTo(HEADROOM);
            assertThat(cut.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
        }
        for (int length = 0; length < 14; length++) {
            MemorySegment cut = withHeadroom(Arrays.copyOf(plain, length));
            byte[] before = cut.toArray(ValueLayout.JAVA_BYTE);
            assertThat(VlanTag.push(cut, HEADROOM, length, VlanTag.CUSTOMER, 1)).isEqualTo(HEADROOM);
            assertThat(cut.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
        }
    }

    @Test
    void refusesWhatIsNoTagAndWhatHasNoHeadroom() {
        MemorySegment segment = withHeadroom(GoldenFrame.of("udp").bytes());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VlanTag.push(segment, HEADROOM, 60, VlanTag.CUSTOMER, 4096))
                .withMessage("id 4096 is not in 0 to 4095");
        assertThatIllegalArgumentException().isThrownBy(() -> VlanTag.push(segment, HEADROOM, 60, 1500, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VlanTag.push(segment, HEADROOM, 60, VlanTag.CUSTOMER, 1, 8, false))
                .withMessage("priority 8 is not in 0 to 7");
        assertThatThrownBy(() -> VlanTag.push(segment, 3, 14, VlanTag.CUSTOMER, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> VlanTag.pop(segment, 3, 1000)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void staysInsideOfAnyFrame() {
        Random random = new Random(41);
        for (int round = 0; round < 20_000; round++) {
            byte[] frame = new byte[random.nextInt(40)];
            random.nextBytes(frame);
            if (frame.length > 14 && random.nextBoolean()) {
                frame[12] = (byte) 0x81;
                frame[13] = 0;
            }
            MemorySegment segment = withHeadroom(frame);
            long start = VlanTag.pop(segment, HEADROOM, frame.length);
            int length = frame.length - (int) (start - HEADROOM);
            long pushed = VlanTag.push(segment, start, length, VlanTag.CUSTOMER, random.nextInt(4096));
            assertThat(pushed).isBetween(HEADROOM - 4L, HEADROOM + 0L);
            assertThat(bytes(segment, HEADROOM + frame.length, 8)).containsOnly(0x5a);
            assertThat(bytes(segment, 0, HEADROOM - 4)).containsOnly(0x5a);
        }
    }

    @Test
    void allocatesNothing() {
        MemorySegment segment = withHeadroom(GoldenFrame.of("udp").bytes());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long sum = pushAndPop(segment, 20_000);
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            sum += pushAndPop(segment, 10_000);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        assertThat(sum).isNotZero();
        assertThat(least).isLessThan(1_000);
    }

    private static long pushAndPop(MemorySegment segment, int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            long start = VlanTag.push(segment, HEADROOM, 54, VlanTag.CUSTOMER, i & 0xfff);
            sum += VlanTag.pop(segment, start, 58);
        }
        return sum;
    }
}
