package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Names what a transport payload is: by its content where that has a mark, by a well-known port and a form that fits where it
 * has not. To be asked for output and for an index; who has to know (which port media were agreed on, say) asks signalling.
 *
 * <p>One packet alone is looked at, so the name may be wrong: one in five random payloads has the form of RTP.
 *
 * <p>It allocates nothing. Single-threaded. No input makes it throw or read outside the payload.
 */
public final class ApplicationRecognizer {
    private static final int STUN_COOKIE = 0x2112a442;
    private static final int ZRTP_COOKIE = 0x5a525450;
    private static final int HEP3 = 0x48455033;
    private static final byte[] SIP_RESPONSE = "SIP/2.0 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SIP_VERSION = " SIP/2.0".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RTSP_RESPONSE = "RTSP/1.0 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] RTSP_VERSION = " RTSP/1.0".getBytes(StandardCharsets.US_ASCII);

    /** Start lines longer than that are not looked through. */
    private static final int MAX_LINE = 1024;

    private final HttpView http = new HttpView();
    private final MgcpView mgcp = new MgcpView();
    private final SnmpView snmp = new SnmpView();
    private final SyslogView syslog = new SyslogView();
    private final QuicView quic = new QuicView();
    private final NtpView ntp = new NtpView();
    private final RadiusView radius = new RadiusView();
    private final TftpView tftp = new TftpView();
    private final SkinnyView skinny = new SkinnyView();
    private final DiameterView diameter = new DiameterView();
    private final H225View h225 = new H225View();
    private final WireGuardView wireGuard = new WireGuardView();
    private final UdptlView udptl = new UdptlView();
    private final SctpChunks chunks = new SctpChunks();

    private MemorySegment segment = MemorySegment.NULL;
    private long offset;
    private int length;
    private int wireLength;

    /** Ready for any packet. */
    public ApplicationRecognizer() {}

    /** Names what the transport layer of a walked packet carries; {@link Application#UNKNOWN} without one. */
    public Application recognize(PacketWalker walker) {
        int transport = walker.transport();
        if (transport < 0) {
            take(walker.segment(), walker.payloadOffset(), 0, 0);
            return Application.UNKNOWN;
        }
        take(walker.segment(), walker.payloadOffset(), walker.payloadLength(), walker.payloadWireLength());
        return name(walker.layerType(transport), walker.sourcePort(), walker.destinationPort());
    }

    /**
     * Names a payload.
     *
     * @param transport {@link LayerType#UDP}, {@link LayerType#TCP} or {@link LayerType#SCTP}
     * @param length bytes of it that are there
     * @param wireLength bytes of it there were
     */
    public Application recognize(
            LayerType transport,
            MemorySegment segment,
            long offset,
            int length,
            int wireLength,
            int sourcePort,
            int destinationPort) {
        take(segment, offset, length, wireLength);
        return name(transport, sourcePort, destinationPort);
    }

    /** Where the message starts that was named last: behind the length that DNS has over TCP, in the chunk of SCTP. */
    public long offset() {
        return offset;
    }

    /** Bytes of it that are there. */
    public int length() {
        return length;
    }

    private void take(MemorySegment segment, long offset, int length, int wireLength) {
        this.segment = segment;
        this.offset = offset;
        this.length = length;
        this.wireLength = wireLength;
    }

    private Application name(LayerType transport, int sourcePort, int destinationPort) {
        if (length == 0) {
            return Application.UNKNOWN;
        }
        return switch (transport) {
            case UDP, UDP_LITE -> datagram(sourcePort, destinationPort);
            case TCP -> stream(sourcePort, destinationPort);
            case SCTP -> chunk();
            default -> Application.UNKNOWN;
        };
    }

    // datagrams

    private Application datagram(int a, int b) {
        int first = NetworkOrder.u8(segment, offset);
        Application marked = first < 'A' ? byFirstByte(first) : first < 0x80 ? byStartLine() : Application.UNKNOWN;
        if (marked != Application.UNKNOWN) {
            return marked;
        }
        Application known = byPort(b);
        if (known == Application.UNKNOWN) {
            known = byPort(a);
        }
        if (known != Application.UNKNOWN) {
            return known;
        }
        if (first >>> 6 == 2 && Math.min(a, b) >= 1024) {
            return media();
        }
        if (first >>> 4 == 4) {
            return isChannelData() ? Application.TURN : Application.UNKNOWN;
        }
        return isHandshakeOfWireGuard() ? Application.WIREGUARD : Application.UNKNOWN;
    }

    /** What begins with a number below that of a letter (RFC 7983 for most of it), and has a mark behind it. */
    private Application byFirstByte(int first) {
        if (first < 4 && length >= StunView.LENGTH && NetworkOrder.bits32(segment, offset + 4) == STUN_COOKIE) {
            return Application.STUN;
        }
        if (first >= 20 && first < 64 && length >= 13 && NetworkOrder.u8(segment, offset + 1) == 0xfe) {
            return Application.DTLS;
        }
        if (first == 0x10 && length >= 12 && NetworkOrder.bits32(segment, offset + 4) == ZRTP_COOKIE) {
            return Application.ZRTP;
        }
        boolean isBootp = first == 1 || first == 2;
        return isBootp && DhcpView.hasCookie(segment, offset, length) ? Application.DHCP : Application.UNKNOWN;
    }

    private Application byStartLine() {
        if (length >= 6 && NetworkOrder.bits32(segment, offset) == HEP3) {
            return Application.HEP;
        }
        if (isSip()) {
            return Application.SIP;
        }
        return Application.UNKNOWN;
    }

    private Application byPort(int port) {
        return switch (port) {
            case 53 -> when(isDns(), Application.DNS);
            case 5353 -> when(isDns(), Application.MDNS);
            case 5355 -> when(isDns(), Application.LLMNR);
            case 67, 68 -> when(length >= DhcpView.FIXED_LENGTH, Application.DHCP);
            case 69 -> when(tftp.wrap(segment, offset, length) == WrapStatus.OK, Application.TFTP);
            case 123 -> when(ntp.wrap(segment, offset, length) == WrapStatus.OK, Application.NTP);
            case 137 -> Application.NBNS;
            case 138 -> Application.NBDS;
            case 161, 162 -> when(snmp.wrap(segment, offset, length) == WrapStatus.OK, Application.SNMP);
            case 443 -> when(isQuic(), Application.QUIC);
            case 514 -> when(syslog.wrap(segment, offset, length) == WrapStatus.OK, Application.SYSLOG);
            case 546, 547 -> when(length >= Dhcpv6View.MIN_LENGTH, Application.DHCPV6);
            case 1645, 1646, 1700, 1812, 1813, 3799 ->
                when(radius.wrap(segment, offset, length) == WrapStatus.OK, Application.RADIUS);
            case 1900 -> Application.SSDP;
            case 2427, 2727 -> when(mgcp.wrap(segment, offset, length) == WrapStatus.OK, Application.MGCP);
            case 4569 -> Application.IAX2;
            case 6004 -> when(udptl.wrap(segment, offset, length) == WrapStatus.OK, Application.UDPTL);
            case 51820 -> when(wireGuard.wrap(segment, offset, length) == WrapStatus.OK, Application.WIREGUARD);
            default -> Application.UNKNOWN;
        };
    }

    private static Application when(boolean fits, Application application) {
        return fits ? application : Application.UNKNOWN;
    }

    /** Whether the counts are those of a message with a question, or of an answer of multicast DNS without. */
    private boolean isDns() {
        if (length < DnsView.LENGTH) {
            return false;
        }
        int questions = NetworkOrder.u16(segment, offset + 4);
        int answers = NetworkOrder.u16(segment, offset + 6);
        return (NetworkOrder.u16(segment, offset + 2) & 0x40) == 0 && questions + answers > 0 && questions <= 64;
    }

    /** On its port, a packet with a short header counts as well: the fixed bit is all that it has. */
    private boolean isQuic() {
        int first = NetworkOrder.u8(segment, offset);
        return (first & 0x80) != 0
                ? quic.wrap(segment, offset, length) == WrapStatus.OK
                : (first & 0x40) != 0 && length >= 21;
    }

    /** RFC 5761, 4: the second byte tells reports from media. */
    private Application media() {
        if (length < 8) {
            return Application.UNKNOWN;
        }
        int second = NetworkOrder.u8(segment, offset + 1);
        if (second >= 192 && second <= 223) {
            int bytes = (NetworkOrder.u16(segment, offset + 2) + 1) * 4;
            return when(bytes >= 4 && bytes <= Math.max(wireLength, length), Application.RTCP);
        }
        int sources = NetworkOrder.u8(segment, offset) & 15;
        return when(length >= 12 + 4 * sources, Application.RTP);
    }

    private boolean isChannelData() {
        int bytes = length >= 4 ? NetworkOrder.u16(segment, offset + 2) : -1;
        return bytes >= 0 && bytes <= length - 4 && bytes + 7 >= length - 4;
    }

    /** Away from its port, what has a length of its own: all but data. */
    private boolean isHandshakeOfWireGuard() {
        return wireGuard.wrap(segment, offset, length) == WrapStatus.OK
                && wireGuard.type() != WireGuardView.DATA
                && wireLength == WireGuardView.fixedLength(wireGuard.type());
    }

    // streams

    private Application stream(int a, int b) {
        if (isSip()) {
            return Application.SIP;
        }
        if (TlsRecordView.isRecord(segment, offset, length)) {
            return Application.TLS;
        }
        if (http.wrap(segment, offset, length) == WrapStatus.OK) {
            return isRtsp() ? Application.RTSP : Application.HTTP;
        }
        if (isRtsp()) {
            return Application.RTSP;
        }
        if (h225.wrap(segment, offset, length) == WrapStatus.OK && h225.callReferenceLength() == 2) {
            return Application.H225;
        }
        Application known = streamByPort(b);
        return known == Application.UNKNOWN ? streamByPort(a) : known;
    }

    private Application streamByPort(int port) {
        return switch (port) {
            case 53 -> {
                if (length <= 2) {
                    yield Application.UNKNOWN;
                }
                int whole = NetworkOrder.u16(segment, offset);
                take(segment, offset + 2, Math.min(whole, length - 2), whole);
                if (isDns()) {
                    yield Application.DNS;
                }
                take(segment, offset - 2, length + 2, wireLength + 2);
                yield Application.UNKNOWN;
            }
            case 2000 -> when(skinny.wrap(segment, offset, length) == WrapStatus.OK, Application.SKINNY);
            case 3868 -> when(diameter.wrap(segment, offset, length) == WrapStatus.OK, Application.DIAMETER);
            default -> Application.UNKNOWN;
        };
    }

    /** The user's bytes of the first chunk that has any, by the protocol that it names. */
    private Application chunk() {
        chunks.wrap(segment, offset, length);
        while (chunks.next()) {
            if (chunks.type() == SctpChunks.DATA) {
                take(segment, chunks.dataOffset(), chunks.dataLength(), chunks.dataLength());
                boolean isDiameter = chunks.payloadProtocol() == 46
                        || chunks.payloadProtocol() == 0 && diameter.wrap(segment, offset, length) == WrapStatus.OK;
                return isDiameter && length >= DiameterView.LENGTH
                        ? Application.DIAMETER
                        : isSip() ? Application.SIP : Application.UNKNOWN;
            }
        }
        return Application.UNKNOWN;
    }

    /** A response, or a line of a request with the version at its end. */
    private boolean isSip() {
        return AsciiText.startsWith(segment, offset, length, SIP_RESPONSE) || isRequestOf(SIP_VERSION);
    }

    private boolean isRtsp() {
        return AsciiText.startsWith(segment, offset, length, RTSP_RESPONSE) || isRequestOf(RTSP_VERSION);
    }

    private boolean isRequestOf(byte[] version) {
        int first = length == 0 ? 0 : NetworkOrder.u8(segment, offset);
        if (first < 'A' || first > 'Z') {
            return false;
        }
        int line = AsciiText.lineLength(segment, offset, Math.min(length, MAX_LINE));
        return line > version.length
                && AsciiText.startsWith(segment, offset + line - version.length, version.length, version);
    }
}
