package io.offhook.research.handover;

import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.walk.PacketWalker.Stop;
import io.offhook.rtp.RtpView;
import java.lang.foreign.MemorySegment;

/**
 * A sniffer's check of a packet: which kinds of headers does it have, and is it RTP? For RTP the result is one packet and the
 * numbers of its header, otherwise 0. The techniques differ in how they find UDP; all use the same rule for RTP. None throws.
 */
abstract class SnifferLook extends PacketLook {
    private static final int PACKET_SHIFT = 40;
    private static final int FIRST_FREE_PORT = 1024;
    private static final LayerSet IPV4 = LayerSet.of(LayerType.IPV4);
    private static final LayerSet IPV6 = LayerSet.of(LayerType.IPV6);
    private static final LayerSet TCP = LayerSet.of(LayerType.TCP);
    private static final LayerSet UDP = LayerSet.of(LayerType.UDP);

    final PacketWalker walker = new PacketWalker();
    private final RtpView rtp = new RtpView();
    private final long[] kinds = new long[4];

    /** One packet of RTP and its numbers, so that a sum shows how many packets there were and whether they were right. */
    static long said(int sequenceNumber, long ssrc) {
        return (1L << PACKET_SHIFT) + (sequenceNumber + ssrc & 0xffff);
    }

    /** Returns the number of RTP packets in a sum; right for up to 16 million. */
    static long packets(long said) {
        return said >>> PACKET_SHIFT;
    }

    /** What a sniffer counts besides. */
    final void count(int kind) {
        kinds[kind]++;
    }

    /** Packets with IPv4, IPv6, TCP and UDP. */
    final long[] kinds() {
        return kinds.clone();
    }

    /** What it carries, of the UDP that was walked to last. */
    final long rtp() {
        if (Math.min(walker.sourcePort(), walker.destinationPort()) < FIRST_FREE_PORT) {
            return 0;
        }
        MemorySegment segment = walker.segment();
        long offset = walker.payloadOffset();
        int length = walker.payloadLength();
        return RtpView.isPlausible(segment, offset, length) && rtp.wrap(segment, offset, length) == WrapStatus.OK
                ? said(rtp.sequenceNumber(), rtp.ssrc())
                : 0;
    }

    @Override
    long payloadOffset() {
        return walker.payloadOffset();
    }

    @Override
    int payloadLength() {
        return walker.payloadLength();
    }

    /** Asks for one kind of header after the other, of the packet itself: each question begins at its first byte. */
    static final class Each extends SnifferLook {
        @Override
        long header(MemorySegment segment, long offset, int length) {
            if (has(IPV4, segment, offset, length)) {
                count(0);
            }
            if (has(IPV6, segment, offset, length)) {
                count(1);
            }
            if (has(TCP, segment, offset, length)) {
                count(2);
            }
            if (has(UDP, segment, offset, length)) {
                count(3);
            }
            return has(UDP, segment, offset, length) ? rtp() : 0;
        }

        private boolean has(LayerSet layer, MemorySegment segment, long offset, int length) {
            return walker.walk(segment, offset, length, length, LinkType.ETHERNET, layer) == Stop.REACHED;
        }
    }

    /** Walks the packet once, to its end, and asks the index of its layers for one kind after the other. */
    static final class Index extends SnifferLook {
        @Override
        long header(MemorySegment segment, long offset, int length) {
            walker.walk(segment, offset, length, length, LinkType.ETHERNET);
            if (walker.has(LayerType.IPV4)) {
                count(0);
            }
            if (walker.has(LayerType.IPV6)) {
                count(1);
            }
            if (walker.has(LayerType.TCP)) {
                count(2);
            }
            if (walker.has(LayerType.UDP)) {
                count(3);
            }
            return walker.has(LayerType.UDP) ? rtp() : 0;
        }
    }

    /** Walks once, up to TCP or UDP, and keeps the results instead of asking again. */
    static final class Once extends SnifferLook {
        @Override
        long header(MemorySegment segment, long offset, int length) {
            Stop stop = walker.walk(segment, offset, length, length, LinkType.ETHERNET, LayerSet.TCP_OR_UDP);
            int network = walker.network();
            if (network < 0) {
                return 0;
            }
            count(walker.layerType(network) == LayerType.IPV4 ? 0 : 1);
            if (stop != Stop.REACHED) {
                return 0;
            }
            boolean isUdp = walker.layerType(walker.transport()) == LayerType.UDP;
            count(isUdp ? 3 : 2);
            return isUdp ? rtp() : 0;
        }
    }
}
