package io.offhook.research.handover;

import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpView;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.packet.walk.PacketWalker.Stop;
import io.offhook.research.handover.SoughtTrace.Kind;
import io.offhook.rtp.RtpView;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipText;
import java.lang.foreign.MemorySegment;

/**
 * A sniffer that seeks RTP and SIP, over UDP and TCP, and leaves ICMP out. The techniques differ in how a header is looked up:
 * by a test whether it is there, or by getting it, which is putting a view on it.
 */
abstract class SoughtLook {
    private static final int FIRST_FREE_PORT = 1024;
    private static final LayerSet ICMP = LayerSet.of(LayerType.ICMP);
    private static final LayerSet UDP = LayerSet.of(LayerType.UDP);
    private static final LayerSet TCP = LayerSet.of(LayerType.TCP);

    final PacketWalker walker = new PacketWalker();
    final RtpView rtp = new RtpView();
    final SipMessageView sip = new SipMessageView();
    private final SipText text = new SipText();

    /** Returns what a packet is; {@link Kind#ICMP} and {@link Kind#OTHER} are not sought. */
    abstract Kind look(MemorySegment segment, long offset, int length);

    final boolean hasUsersPorts() {
        return Math.min(walker.sourcePort(), walker.destinationPort()) >= FIRST_FREE_PORT;
    }

    final boolean isRtp() {
        return hasUsersPorts() && RtpView.isPlausible(walker.segment(), walker.payloadOffset(), walker.payloadLength());
    }

    final boolean isSip() {
        return SipRecognizer.isMessageStart(walker.segment(), walker.payloadOffset(), walker.payloadLength(), text);
    }

    final boolean getRtp() {
        return hasUsersPorts()
                && rtp.wrap(walker.segment(), walker.payloadOffset(), walker.payloadLength()) == WrapStatus.OK;
    }

    final boolean getSip() {
        return sip.wrap(walker.segment(), walker.payloadOffset(), walker.payloadLength()) == WrapStatus.OK;
    }

    /** Walks once, and tests for one kind of header after the other; no view is put on anything. */
    static class PresenceTest extends SoughtLook {
        @Override
        Kind look(MemorySegment segment, long offset, int length) {
            walker.walk(segment, offset, length, length, LinkType.ETHERNET);
            if (walker.has(LayerType.ICMP)) {
                return Kind.ICMP;
            }
            if (walker.has(LayerType.UDP)) {
                return isRtp() ? Kind.RTP : isSip() ? Kind.SIP_OVER_UDP : Kind.OTHER;
            }
            return walker.has(LayerType.TCP) && isSip() ? Kind.SIP_OVER_TCP : Kind.OTHER;
        }
    }

    /** The same, and what is there is got. */
    static final class PresenceTestThenGet extends PresenceTest {
        @Override
        Kind look(MemorySegment segment, long offset, int length) {
            Kind kind = super.look(segment, offset, length);
            boolean got = switch (kind) {
                case RTP -> getRtp();
                case SIP_OVER_UDP, SIP_OVER_TCP -> getSip();
                default -> true;
            };
            return got ? kind : Kind.OTHER;
        }
    }

    /** Walks anew for each question, as one who asks the packet and not an index of it. */
    static final class PresenceTestAnew extends SoughtLook {
        @Override
        Kind look(MemorySegment segment, long offset, int length) {
            if (has(ICMP, segment, offset, length)) {
                return Kind.ICMP;
            }
            if (has(UDP, segment, offset, length)) {
                return isRtp() ? Kind.RTP : isSip() ? Kind.SIP_OVER_UDP : Kind.OTHER;
            }
            return has(TCP, segment, offset, length) && isSip() ? Kind.SIP_OVER_TCP : Kind.OTHER;
        }

        private boolean has(LayerSet layer, MemorySegment segment, long offset, int length) {
            return walker.walk(segment, offset, length, length, LinkType.ETHERNET, layer) == Stop.REACHED;
        }
    }

    /** Walks once, and gets one kind of header after the other: what its view can be put on is there. */
    static final class Get extends SoughtLook {
        private final IcmpView icmp = new IcmpView();
        private final UdpView udp = new UdpView();
        private final TcpView tcp = new TcpView();

        @Override
        Kind look(MemorySegment segment, long offset, int length) {
            walker.walk(segment, offset, length, length, LinkType.ETHERNET);
            if (walker.find(icmp)) {
                return Kind.ICMP;
            }
            if (walker.find(udp)) {
                return getRtp() ? Kind.RTP : getSip() ? Kind.SIP_OVER_UDP : Kind.OTHER;
            }
            return walker.find(tcp) && getSip() ? Kind.SIP_OVER_TCP : Kind.OTHER;
        }
    }
}
