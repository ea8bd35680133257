package io.offhook.analysis;

import io.offhook.packet.LittleEndian;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.application.HepReader;
import io.offhook.packet.application.StunView;
import io.offhook.packet.application.TurnChannelView;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.rtp.PayloadType;
import io.offhook.rtp.RtcpReader;
import io.offhook.rtp.RtpView;
import io.offhook.sip.SipRecognizer;
import io.offhook.sip.SipText;
import java.lang.foreign.MemorySegment;

/** Recognizes by content what a packet carries. Single-threaded; allocates nothing. */
final class Recognizer {
    /** Version 2, no padding, no extension, no CSRC. */
    static final int PLAIN_RTP = 0x80;

    static final int RTP_HEADER = 12;

    /** The offset of the SSRC. */
    static final int RTP_SSRC = 8;

    /** The shortest payload of any of these protocols. */
    static final int LEAST_LENGTH = 8;

    /** The packet types of RTCP (RFC 5761, 4). */
    private static final int FIRST_RTCP = 192;

    private static final int LAST_RTCP = 223;

    /** RFC 8489, 5. */
    private static final int STUN_HEADER = StunView.LENGTH;

    private final SipText text = new SipText();

    /** Classifies a walked packet; the walker must have a transport and no fragment. */
    Payload of(PacketWalker walker) {
        return switch (walker.layerType(walker.transport())) {
            case UDP -> {
                MemorySegment segment = walker.segment();
                long offset = walker.payloadOffset();
                int length = walker.payloadLength();
                yield length < LEAST_LENGTH
                        ? Payload.OTHER
                        : udp(
                                segment,
                                offset,
                                length,
                                walker.payloadWireLength(),
                                NetworkOrder.bits64(segment, offset));
            }
            case TCP -> Payload.TCP;
            case ICMP, ICMPV6 -> Payload.ICMP;
            default -> Payload.OTHER;
        };
    }

    /**
     * Classifies a datagram of at least {@link #LEAST_LENGTH} bytes by its first byte: 128 to 191 is RTP or RTCP, 0 to
     * 3 STUN (RFC 7983), a letter may begin SIP, in which case {@link #text()} holds the bytes, and 64 to 79 is a channel
     * of TURN too.
     *
     * @param start the first eight bytes, read at once: memory reads dominate the cost, especially before compilation
     */
    Payload udp(MemorySegment segment, long offset, int length, int wireLength, long start) {
        int first = (int) (start >>> 56);
        if (first >>> 6 == 2) {
            int second = (int) (start >>> 48) & 0xff;
            if (second >= FIRST_RTCP && second <= LAST_RTCP) {
                return RtcpReader.isPlausible(segment, offset, length) ? Payload.RTCP : Payload.OTHER;
            }
            return isPlainRtp(first, second, length) || RtpView.isPlausible(segment, offset, length, wireLength)
                    ? Payload.RTP
                    : Payload.OTHER;
        }
        if (first < 4 && length >= STUN_HEADER && (int) start == StunView.MAGIC_COOKIE) {
            return TurnRelays.isData((int) (start >>> 48)) ? Payload.TURN : Payload.STUN;
        }
        if (SipRecognizer.isMessageStart(segment, offset, length, text)) {
            if (length < wireLength) {
                text.copy(segment, offset, wholeLines(text));
            }
            return Payload.SIP;
        }
        return carrier(segment, offset, length, wireLength, start);
    }

    /** The length of a text up to the end of its last complete line: an incomplete one could hold half a Call-ID. */
    static int wholeLines(SipText text) {
        byte[] octets = text.octets();
        int whole = text.length();
        while (whole > 0 && octets[whole - 1] != '\n' && octets[whole - 1] != '\r') {
            whole--;
        }
        return whole;
    }

    /** Whether an empty line ends the headers. */
    static boolean hasWholeHeaders(SipText text) {
        byte[] octets = text.octets();
        boolean isLineEmpty = false;
        for (int i = 0; i < text.length(); i++) {
            if (octets[i] == '\n') {
                if (isLineEmpty) {
                    return true;
                }
                isLineEmpty = true;
            } else if (octets[i] != '\r') {
                isLineEmpty = false;
            }
        }
        return false;
    }

    /** Recognizes datagrams that carry others: ChannelData by its length and the byte of a channel, HEP by its header. */
    private static Payload carrier(MemorySegment segment, long offset, int length, int wireLength, long start) {
        if (start >>> 60 == 4 && !HepReader.isWhole(segment, offset, length)) {
            int behind = wireLength - TurnChannelView.LENGTH - ((int) (start >>> 32) & 0xffff);
            if (behind >= 0 && behind < 4) { // padding is optional over UDP (RFC 8656, 12.5)
                return Payload.TURN;
            }
        }
        return HepReader.isLikely(segment, offset, length) ? Payload.HEP : Payload.OTHER;
    }

    /** Whether bytes begin a SIP message; then {@link #text()} holds them. */
    boolean isSip(MemorySegment segment, long offset, int length) {
        return SipRecognizer.isMessageStart(segment, offset, length, text);
    }

    private static boolean isPlainRtp(int first, int second, int length) {
        return first == PLAIN_RTP && length >= RTP_HEADER && !PayloadType.isReservedForRtcp(second & 0x7f);
    }

    /** The bytes of the last SIP message recognized; of one that was not captured whole, its complete lines. */
    SipText text() {
        return text;
    }

    /** The length of an RTP header with CSRCs and extension (RFC 3550, 5.1). */
    static int rtpHeaderLength(MemorySegment segment, long offset, int length, long start) {
        int first = (int) (start >>> 56);
        int headerLength = RTP_HEADER + (first & 15) * 4;
        if ((first & 0x10) != 0 && headerLength + 4 <= length) {
            headerLength += 4 + 4 * NetworkOrder.u16(segment, offset + headerLength + 2);
        }
        return headerLength;
    }

    /** The number of padding bytes of RTP, if its place was captured. */
    static int rtpPadding(MemorySegment segment, long offset, int length, int wireLength, long start) {
        boolean isPadded = (start >>> 56 & 0x20) != 0;
        return isPadded && length == wireLength ? NetworkOrder.u8(segment, offset + length - 1) : 0;
    }

    /** Of RTP, timestamp, sequence number, marker and payload type, as {@link io.offhook.rtp.RtpRows} has them. */
    static long rtpRow(long start) {
        return start << 32 | (start >>> 32 & 0xffff) << 16 | start >>> 48 & 0xff;
    }

    /** The first eight payload bytes, which telephone events need (RFC 4733, 2.3), the first in the lowest bits. */
    static long payloadHead(MemorySegment segment, long offset, int length) {
        if (length >= 8) {
            return LittleEndian.bits64(segment, offset);
        }
        long head = 0;
        for (int i = 0; i < length; i++) {
            head |= (long) NetworkOrder.u8(segment, offset + i) << 8 * i;
        }
        return head;
    }
}
