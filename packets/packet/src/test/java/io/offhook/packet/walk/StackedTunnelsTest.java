package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.LayerType;
import io.offhook.packet.walk.PacketWalker.Stop;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Any tunnel in any other, up to and beyond the most layers that a walk lists. */
class StackedTunnelsTest {
    private static final long SEED = 20_261_122;
    private static final int STACKS = 60_000;
    private static final int MANY = PacketWalker.MAX_LAYERS - 8;
    private static final int TOO_MANY = PacketWalker.MAX_LAYERS + 4;

    /** The layers that only the bottom of a frame has, and those that nothing follows. */
    private static final Set<LayerType> NOT_ABOVE = EnumSet.of(
            LayerType.FDDI,
            LayerType.TOKEN_RING,
            LayerType.NFLOG,
            LayerType.ARCNET,
            LayerType.IPOIB,
            LayerType.JUNIPER,
            LayerType.LINUX_SLL,
            LayerType.LINUX_SLL2,
            LayerType.NULL_LOOPBACK,
            LayerType.CISCO_HDLC,
            LayerType.FRAME_RELAY,
            LayerType.RADIOTAP,
            LayerType.PRISM,
            LayerType.AVS,
            LayerType.PPI,
            LayerType.USB,
            LayerType.BLUETOOTH,
            LayerType.WPAN,
            LayerType.CAN,
            LayerType.NETLINK,
            LayerType.ARP,
            LayerType.LLDP,
            LayerType.STP,
            LayerType.LACP,
            LayerType.CDP,
            LayerType.ESP,
            LayerType.GTP_C,
            LayerType.TCP,
            LayerType.UDP_LITE,
            LayerType.DCCP,
            LayerType.SCTP,
            LayerType.ICMP,
            LayerType.ICMPV6,
            LayerType.IGMP,
            LayerType.VRRP,
            LayerType.OSPF,
            LayerType.REGISTERED); // none is registered

    private final PacketWalker walker = new PacketWalker();
    private final WalkInvariants invariants = new WalkInvariants();

    @Test
    void findsEveryLayerOfAStack() {
        Random random = new Random(SEED);
        for (int round = 0; round < STACKS; round++) {
            TunnelStack stack = new TunnelStack(random, 1 + random.nextInt(20));
            walk(stack, round);
            if (stack.layers().size() < 25) {
                assertThat(PacketWalkerTest.layers(walker))
                        .as(about(stack, round))
                        .isEqualTo(stack.layers());
                assertThat(walker.stop()).as(about(stack, round)).isEqualTo(Stop.COMPLETE);
            }
        }
    }

    /** A step that lists more layers than are kept free for it would write behind the table. */
    @Test
    void stopsBeforeThereIsNoRoomWhateverTheStep() {
        Random random = new Random(SEED + 1);
        Set<LayerType> last = EnumSet.noneOf(LayerType.class);
        int full = 0;
        for (int round = 0; round < STACKS; round++) {
            TunnelStack stack = new TunnelStack(random, MANY + random.nextInt(TOO_MANY - MANY));
            walk(stack, round);
            int found = walker.layerCount();
            List<String> listed = PacketWalkerTest.layers(walker);
            assertThat(listed).as(about(stack, round)).isEqualTo(stack.layers().subList(0, found));
            boolean isWhole = found == stack.layers().size();
            assertThat(walker.stop()).as(about(stack, round)).isEqualTo(isWhole ? Stop.COMPLETE : Stop.TOO_DEEP);
            full += found == PacketWalker.MAX_LAYERS ? 1 : 0;
            for (int i = PacketWalker.MAX_LAYERS - 5; i < found; i++) {
                last.add(walker.layerType(i));
            }
        }
        assertThat(full).as("stacks that fill the table").isPositive();
        assertThat(last)
                .as("layers at the end of the table")
                .isEqualTo(EnumSet.complementOf(EnumSet.copyOf(NOT_ABOVE)));
    }

    private void walk(TunnelStack stack, int round) {
        byte[] bytes = stack.bytes();
        MemorySegment segment = GoldenFrame.segment(bytes);
        try {
            walker.walk(segment, 0, bytes.length, bytes.length, stack.linkType());
            invariants.check(walker, segment, bytes.length, bytes.length);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(about(stack, round), e);
        }
    }

    private static String about(TunnelStack stack, int round) {
        return "seed " + SEED + ", round " + round + ", link type " + stack.linkType() + ": "
                + HexFormat.of().formatHex(stack.bytes());
    }
}
