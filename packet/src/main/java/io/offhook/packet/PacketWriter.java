package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Writes packets into memory, layer by layer from the outermost on. Lengths, checksums and what names the next layer
 * (EtherType, protocol, next header) are filled in.
 *
 * <pre>{@code
 * PacketWriter writer = new PacketWriter();
 * int length = writer.begin(segment, 0)
 *         .ethernet(0x020000000001L, 0x020000000002L)
 *         .vlan(100)
 *         .ipv4(0xc0000201L, 0xc6336402L, ip -> ip.ttl(3).dscp(46))
 *         .udp(5060, 5062)
 *         .text("OPTIONS sip:example.org SIP/2.0\r\n\r\n")
 *         .finish();
 * }</pre>
 *
 * <p>A lambda sets what has no parameter, by the view's setters; {@link #length(int)} and {@link #checksum(long)} give the
 * last layer a value that {@link #finish()} then leaves, be it wrong. IPv4 and IPv6 inside anything make tunnels.
 *
 * <p>A writer is used again and again, by one thread; it allocates nothing (a lambda that captures does, at its caller's).
 * The memory is the caller's. A layer that does not fit, or that the one below has no number for, is an
 * {@link IllegalStateException}; a value that its field cannot hold, an {@link IllegalArgumentException}.
 */
public final class PacketWriter {
    /** The most layers of a packet. */
    public static final int MAX_LAYERS = 32;

    public static final int VXLAN_PORT = 4789;
    public static final int VXLAN_GPE_PORT = 4790;
    public static final int GENEVE_PORT = 6081;
    public static final int GTP_U_PORT = 2152;

    /** What an IPv4 or IPv6 header says until it is known what it carries: nothing that anybody reads. */
    private static final int NO_NEXT_HEADER = 59;

    /** The same for Ethernet: local experiments (IEEE 802, 9.2.4). */
    private static final int EXPERIMENTAL_TYPE = 0x88b5;

    private static final long MAX_U32 = 0xffff_ffffL;
    private static final long MAX_MAC = 0xffff_ffff_ffffL;

    private final WrittenPacket packet = new WrittenPacket();
    private final TcpOptionWriter options = new TcpOptionWriter(this, packet);
    private final VlanView vlan = new VlanView();
    private final Ipv4View ipv4 = new Ipv4View();
    private final Ipv6View ipv6 = new Ipv6View();
    private final TcpView tcp = new TcpView();

    /** A writer that is at no packet yet. */
    public PacketWriter() {}

    /** Begins a packet that may take the rest of the segment; what was not finished is forgotten. */
    public PacketWriter begin(MemorySegment segment, long offset) {
        return begin(segment, offset, (int) Math.min(segment.byteSize() - offset, Integer.MAX_VALUE));
    }

    /**
     * Begins a packet.
     *
     * @param offset of its first byte in the segment
     * @param capacity the most bytes that it may have
     * @throws IndexOutOfBoundsException when they are not inside the segment
     */
    public PacketWriter begin(MemorySegment segment, long offset, int capacity) {
        Objects.checkFromIndexSize(offset, capacity, segment.byteSize());
        packet.begin(segment, offset, capacity);
        return this;
    }

    /** Fills in lengths and checksums. @return bytes of the packet */
    public int finish() {
        return packet.finish(0);
    }

    /**
     * The same, then appends zeros, which no header counts, up to the least length that a link wants: 60 on Ethernet.
     *
     * @return bytes of the packet, with them
     */
    public int finish(int minimumLength) {
        return packet.finish(minimumLength);
    }

    /** Bytes so far. */
    public int length() {
        return packet.length();
    }

    /** Where the header of the last layer starts, in the segment: for a view of one's own. */
    public long lastHeaderOffset() {
        return packet.lastHeader();
    }

    /** Gives the last layer's length field that value. */
    public PacketWriter length(int value) {
        packet.giveLength(value);
        return this;
    }

    /** Gives the last layer's checksum field that value; 0 in UDP says that there is none. */
    public PacketWriter checksum(long value) {
        packet.giveChecksum(value);
        return this;
    }

    // ---- link

    /** Ethernet II; addresses as {@link MacAddress} has them. */
    public PacketWriter ethernet(long source, long destination) {
        long header = addresses(WrittenLayer.ETHERNET, source, destination);
        NetworkOrder.putU16(packet.segment, header + 12, EXPERIMENTAL_TYPE);
        return this;
    }

    /** Ethernet with a length for a type (IEEE 802.3); {@link #llc} or {@link #snap} is next. */
    public PacketWriter ieee8023(long source, long destination) {
        addresses(WrittenLayer.IEEE_802_3, source, destination);
        return this;
    }

    private long addresses(WrittenLayer layer, long source, long destination) {
        FieldRange.check("source", source, MAX_MAC);
        FieldRange.check("destination", destination, MAX_MAC);
        long header = packet.push(layer, EthernetView.LENGTH);
        NetworkOrder.putU48(packet.segment, header, destination);
        NetworkOrder.putU48(packet.segment, header + 6, source);
        return header;
    }

    /** Logical link control with an unnumbered control field (IEEE 802.2). */
    public PacketWriter llc(int destination, int source, int control) {
        FieldRange.check("destination", destination, 0xff);
        FieldRange.check("source", source, 0xff);
        FieldRange.check("control", control, 0xff);
        long header = packet.push(WrittenLayer.LLC, LlcView.MIN_LENGTH);
        NetworkOrder.putU24(packet.segment, header, destination << 16 | source << 8 | control);
        return this;
    }

    /** LLC and SNAP (RFC 1042); the type is an EtherType. */
    public PacketWriter snap() {
        long header = packet.push(WrittenLayer.SNAP, 8);
        NetworkOrder.putBits64(packet.segment, header, 0xaaaa_0300_0000_0000L | EXPERIMENTAL_TYPE);
        return this;
    }

    /** A customer's tag (IEEE 802.1Q). */
    public PacketWriter vlan(int id) {
        return vlan(WrittenLayer.VLAN, id);
    }

    /** The same, with its other fields. */
    public PacketWriter vlan(int id, Consumer<VlanView> fields) {
        vlan(id);
        vlan.wrap(packet.segment, packet.lastHeader(), VlanView.LENGTH);
        fields.accept(vlan);
        return this;
    }

    /** A service provider's tag (IEEE 802.1ad). */
    public PacketWriter serviceVlan(int id) {
        return vlan(WrittenLayer.SERVICE_VLAN, id);
    }

    private PacketWriter vlan(WrittenLayer layer, int id) {
        FieldRange.check("id", id, 0xfff);
        long header = packet.push(layer, VlanView.LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) id << 16 | EXPERIMENTAL_TYPE);
        return this;
    }

    /** An entry of a label stack (RFC 3032); the last one written is the bottom. */
    public PacketWriter mpls(int label, int trafficClass, int ttl) {
        FieldRange.check("label", label, 0xfffff);
        FieldRange.check("trafficClass", trafficClass, 7);
        FieldRange.check("ttl", ttl, 0xff);
        long header = packet.push(WrittenLayer.MPLS, MplsView.LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) label << 12 | trafficClass << 9 | 1 << 8 | ttl);
        return this;
    }

    /** PPPoE's session stage (RFC 2516, 6), and the protocol number of PPP that follows it. */
    public PacketWriter pppoeSession(int sessionId) {
        long header = pppoe(WrittenLayer.PPPOE_SESSION, PppoeView.SESSION_DATA, sessionId, 2);
        NetworkOrder.putU16(packet.segment, header + PppoeView.LENGTH, 0xc021); // link control, until something follows
        return this;
    }

    /** PPPoE's discovery stage (RFC 2516, 5); its tags are payload. */
    public PacketWriter pppoeDiscovery(int code, int sessionId) {
        FieldRange.check("code", code, 0xff);
        pppoe(WrittenLayer.PPPOE_DISCOVERY, code, sessionId, 0);
        return this;
    }

    private long pppoe(WrittenLayer layer, int code, int sessionId, int more) {
        FieldRange.check("sessionId", sessionId, 0xffff);
        long header = packet.push(layer, PppoeView.LENGTH + more);
        NetworkOrder.putU32(packet.segment, header, 0x1100_0000L | code << 16 | sessionId);
        NetworkOrder.putU16(packet.segment, header + 4, 0);
        return header;
    }

    /** PPP with address and control (RFC 1662, 3.1). */
    public PacketWriter ppp() {
        NetworkOrder.putU32(packet.segment, packet.push(WrittenLayer.PPP, 4), 0xff03_c021L);
        return this;
    }

    /** Linux cooked capture, version 1, of Ethernet; {@code packetType} as {@link SllView#packetType()} has it. */
    public PacketWriter sll(int packetType, long source) {
        FieldRange.check("packetType", packetType, 0xffff);
        FieldRange.check("source", source, MAX_MAC);
        long header = packet.push(WrittenLayer.SLL, SllView.LENGTH);
        NetworkOrder.putU16(packet.segment, header, packetType);
        NetworkOrder.putU32(packet.segment, header + 2, 1 << 16 | 6);
        NetworkOrder.putBits64(packet.segment, header + 6, source << 16);
        NetworkOrder.putU16(packet.segment, header + 14, EXPERIMENTAL_TYPE);
        return this;
    }

    /** Linux cooked capture, version 2, of Ethernet. */
    public PacketWriter sll2(int packetType, long interfaceIndex, long source) {
        FieldRange.check("packetType", packetType, 0xff);
        FieldRange.check("interfaceIndex", interfaceIndex, MAX_U32);
        FieldRange.check("source", source, MAX_MAC);
        long header = packet.push(WrittenLayer.SLL2, Sll2View.LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) EXPERIMENTAL_TYPE << 16);
        NetworkOrder.putU32(packet.segment, header + 4, interfaceIndex);
        NetworkOrder.putU32(packet.segment, header + 8, 1 << 16 | packetType << 8 | 6);
        NetworkOrder.putBits64(packet.segment, header + 12, source << 16);
        return this;
    }

    /** BSD's loopback header, in network order; IPv6 is 30, as macOS has it. */
    public PacketWriter nullLoopback() {
        NetworkOrder.putU32(packet.segment, packet.push(WrittenLayer.NULL_LOOPBACK, NullLoopbackView.LENGTH), 0);
        return this;
    }

    /** ARP of IPv4 over Ethernet (RFC 826). */
    public PacketWriter arp(
            int operation, long senderHardware, long senderProtocol, long targetHardware, long targetProtocol) {
        FieldRange.check("operation", operation, 0xffff);
        FieldRange.check("senderHardware", senderHardware, MAX_MAC);
        FieldRange.check("senderProtocol", senderProtocol, MAX_U32);
        FieldRange.check("targetHardware", targetHardware, MAX_MAC);
        FieldRange.check("targetProtocol", targetProtocol, MAX_U32);
        long header = packet.push(WrittenLayer.ARP, 28);
        NetworkOrder.putBits64(packet.segment, header, 0x0001_0800_0604_0000L | operation);
        NetworkOrder.putU48(packet.segment, header + 8, senderHardware);
        NetworkOrder.putU32(packet.segment, header + 14, senderProtocol);
        NetworkOrder.putU48(packet.segment, header + 18, targetHardware);
        NetworkOrder.putU32(packet.segment, header + 24, targetProtocol);
        return this;
    }

    // ---- network

    /** IPv4 or IPv6, by the addresses, which must be of one version; ports do not matter. */
    public PacketWriter ip(Endpoint source, Endpoint destination) {
        if (source.isIpv4() != destination.isIpv4()) {
            throw new IllegalArgumentException(
                    "source " + source + " and destination " + destination + " differ in version");
        }
        return source.isIpv4()
                ? ipv4(source.low() & MAX_U32, destination.low() & MAX_U32)
                : ipv6(source.high(), source.low(), destination.high(), destination.low());
    }

    /** IPv4 with a TTL of 64 and "don't fragment"; addresses of 32 bits. */
    public PacketWriter ipv4(long source, long destination) {
        FieldRange.check("source", source, MAX_U32);
        FieldRange.check("destination", destination, MAX_U32);
        long header = packet.push(WrittenLayer.IPV4, Ipv4View.MIN_LENGTH);
        NetworkOrder.putU32(packet.segment, header, 0x4500_0000L);
        NetworkOrder.putU32(packet.segment, header + 4, 0x4000);
        NetworkOrder.putU32(packet.segment, header + 8, 64L << 24 | NO_NEXT_HEADER << 16);
        NetworkOrder.putU32(packet.segment, header + 12, source);
        NetworkOrder.putU32(packet.segment, header + 16, destination);
        return this;
    }

    /** The same, with its other fields. */
    public PacketWriter ipv4(long source, long destination, Consumer<Ipv4View> fields) {
        ipv4(source, destination);
        ipv4.wrap(packet.segment, packet.lastHeader(), Ipv4View.MIN_LENGTH);
        fields.accept(ipv4);
        return this;
    }

    /** Options of the IPv4 header just written, as they stand in it; zeros (end of list) fill them up to fours. */
    public PacketWriter ipv4Options(byte[] bytes) {
        long header = packet.last(WrittenLayer.IPV4, "ipv4Options");
        FieldRange.check("ipv4Options.length", bytes.length, 60 - packet.lengthFrom(header));
        payload(bytes);
        zeros(-bytes.length & 3);
        NetworkOrder.putU8(packet.segment, header, 0x40 | packet.lengthFrom(header) >>> 2);
        return this;
    }

    /** IPv6 with a hop limit of 64; addresses as two times 64 bits. */
    public PacketWriter ipv6(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
        long header = packet.push(WrittenLayer.IPV6, Ipv6View.LENGTH);
        NetworkOrder.putU32(packet.segment, header, 0x6000_0000L);
        NetworkOrder.putU32(packet.segment, header + 4, NO_NEXT_HEADER << 8 | 64);
        NetworkOrder.putBits64(packet.segment, header + 8, sourceHigh);
        NetworkOrder.putBits64(packet.segment, header + 16, sourceLow);
        NetworkOrder.putBits64(packet.segment, header + 24, destinationHigh);
        NetworkOrder.putBits64(packet.segment, header + 32, destinationLow);
        return this;
    }

    /** The same, with its other fields. */
    public PacketWriter ipv6(
            long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, Consumer<Ipv6View> fields) {
        ipv6(sourceHigh, sourceLow, destinationHigh, destinationLow);
        ipv6.wrap(packet.segment, packet.lastHeader(), Ipv6View.LENGTH);
        fields.accept(ipv6);
        return this;
    }

    /** IPv6's hop-by-hop options (RFC 8200, 4.3), as they stand in the header; PadN fills them up. */
    public PacketWriter hopByHop(byte[] options) {
        return ipv6Options(WrittenLayer.HOP_BY_HOP, options);
    }

    /** IPv6's destination options (RFC 8200, 4.6), as they stand in the header; PadN fills them up. */
    public PacketWriter destinationOptions(byte[] options) {
        return ipv6Options(WrittenLayer.DESTINATION_OPTIONS, options);
    }

    private PacketWriter ipv6Options(WrittenLayer layer, byte[] options) {
        FieldRange.check(layer.lengthLabel(), options.length, 2046);
        extension(layer, options.length + 2);
        payload(options);
        int padding = -(options.length + 2) & 7;
        if (padding == 1) {
            u8(0); // Pad1
        } else if (padding > 1) {
            u8(1);
            u8(padding - 2);
            zeros(padding - 2);
        }
        return this;
    }

    /**
     * A routing header (RFC 8200, 4.4). With segments left, what TCP, UDP and ICMPv6 sum up is the last destination, for
     * types 0, 2 and 4 (segment routing, RFC 8754).
     *
     * @param data what follows the fourth byte, 4 to 2044 bytes, such that the whole is a multiple of eight
     */
    public PacketWriter routing(int type, int segmentsLeft, byte[] data) {
        FieldRange.check("type", type, 0xff);
        FieldRange.check("segmentsLeft", segmentsLeft, 0xff);
        FieldRange.checkMultiple("routing.length", data.length + 4, 8, 2048, 8);
        long header = extension(WrittenLayer.ROUTING, data.length + 4);
        u8(type);
        u8(segmentsLeft);
        payload(data);
        NetworkOrder.putU8(packet.segment, header + 1, (data.length + 4 >>> 3) - 1);
        return this;
    }

    /** The first two bytes of an extension header that will be {@code length} bytes, rounded up to eights, long. */
    private long extension(WrittenLayer layer, int length) {
        long header = packet.push(layer, 2);
        NetworkOrder.putU16(packet.segment, header, NO_NEXT_HEADER << 8 | (length + 7 >>> 3) - 1);
        return header;
    }

    /**
     * IPv6's fragment header (RFC 8200, 4.5); what is summed up above it is this packet only, so give a fragment's checksum.
     *
     * @param fragmentOffset in units of eight bytes, 0 to 8191
     */
    public PacketWriter fragment(int fragmentOffset, boolean moreFragments, long identification) {
        FieldRange.check("fragmentOffset", fragmentOffset, 0x1fff);
        FieldRange.check("identification", identification, MAX_U32);
        long header = packet.push(WrittenLayer.IPV6_FRAGMENT, Ipv6FragmentView.LENGTH);
        int word = NO_NEXT_HEADER << 24 | fragmentOffset << 3 | (moreFragments ? 1 : 0);
        NetworkOrder.putU32(packet.segment, header, word);
        NetworkOrder.putU32(packet.segment, header + 4, identification);
        return this;
    }

    /** An authentication header (RFC 4302); {@code checkValue} is 4 to 1012 bytes in fours, and is the caller's work. */
    public PacketWriter authentication(long spi, long sequenceNumber, byte[] checkValue) {
        FieldRange.check("spi", spi, MAX_U32);
        FieldRange.check("sequenceNumber", sequenceNumber, MAX_U32);
        FieldRange.checkMultiple("checkValue.length", checkValue.length, 4, 1012, 4);
        long header = packet.push(WrittenLayer.AUTHENTICATION, AuthenticationView.MIN_LENGTH);
        NetworkOrder.putU32(packet.segment, header, NO_NEXT_HEADER << 24 | checkValue.length + 4 >>> 2 << 16);
        NetworkOrder.putU32(packet.segment, header + 4, spi);
        NetworkOrder.putU32(packet.segment, header + 8, sequenceNumber);
        return payload(checkValue);
    }

    /** The head of an encapsulating security payload (RFC 4303); what is encrypted is payload. */
    public PacketWriter esp(long spi, long sequenceNumber) {
        FieldRange.check("spi", spi, MAX_U32);
        FieldRange.check("sequenceNumber", sequenceNumber, MAX_U32);
        long header = packet.push(WrittenLayer.ESP, EspView.LENGTH);
        NetworkOrder.putU32(packet.segment, header, spi);
        NetworkOrder.putU32(packet.segment, header + 4, sequenceNumber);
        return this;
    }

    // ---- tunnels; those in UDP go by its destination port

    /** GRE without options (RFC 2784). */
    public PacketWriter gre() {
        return gre(0, 0, 0);
    }

    /**
     * GRE with options (RFC 2890). NVGRE (RFC 7637) is one with a key of 24 bits network, 8 bits flow, and Ethernet in it.
     *
     * @param flags {@link GreView#CHECKSUM}, {@link GreView#KEY}, {@link GreView#SEQUENCE}, or several
     * @param key 32 bits; 0 without its flag
     * @param sequenceNumber 32 bits; 0 without its flag
     */
    public PacketWriter gre(int flags, long key, long sequenceNumber) {
        if ((flags & ~(GreView.CHECKSUM | GreView.KEY | GreView.SEQUENCE)) != 0) {
            throw new IllegalArgumentException("flags 0x" + Integer.toHexString(flags) + " has more than C, K and S");
        }
        FieldRange.check("key", key, (flags & GreView.KEY) != 0 ? MAX_U32 : 0);
        FieldRange.check("sequenceNumber", sequenceNumber, (flags & GreView.SEQUENCE) != 0 ? MAX_U32 : 0);
        long header = packet.push(WrittenLayer.GRE, GreView.MIN_LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) flags << 16 | EXPERIMENTAL_TYPE);
        if ((flags & GreView.CHECKSUM) != 0) {
            u32(0);
        }
        if ((flags & GreView.KEY) != 0) {
            u32(key);
        }
        if ((flags & GreView.SEQUENCE) != 0) {
            u32(sequenceNumber);
        }
        return this;
    }

    /** VXLAN (RFC 7348); Ethernet is next. */
    public PacketWriter vxlan(int vni) {
        return vxlan(WrittenLayer.VXLAN, 0x0800_0000L, vni);
    }

    /** VXLAN with the generic protocol extension (draft-ietf-nvo3-vxlan-gpe); Ethernet, IPv4, IPv6 or MPLS is next. */
    public PacketWriter vxlanGpe(int vni) {
        return vxlan(WrittenLayer.VXLAN_GPE, 0x0c00_0000L, vni);
    }

    private PacketWriter vxlan(WrittenLayer layer, long flags, int vni) {
        FieldRange.check("vni", vni, 0xff_ffff);
        long header = packet.push(layer, VxlanView.LENGTH);
        NetworkOrder.putU32(packet.segment, header, flags);
        NetworkOrder.putU32(packet.segment, header + 4, (long) vni << 8);
        return this;
    }

    /** Geneve (RFC 8926); {@code options} as they stand in the header, 0 to 252 bytes in fours. */
    public PacketWriter geneve(int vni, byte[] options) {
        FieldRange.check("vni", vni, 0xff_ffff);
        FieldRange.checkMultiple("options.length", options.length, 0, 252, 4);
        long header = packet.push(WrittenLayer.GENEVE, GeneveView.FIXED_LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) options.length >>> 2 << 24 | EXPERIMENTAL_TYPE);
        NetworkOrder.putU32(packet.segment, header + 4, (long) vni << 8);
        return payload(options);
    }

    /** GTP-U's message that carries a user's packet (3GPP TS 29.281); IPv4 or IPv6 is next. */
    public PacketWriter gtpU(long teid) {
        FieldRange.check("teid", teid, MAX_U32);
        long header = packet.push(WrittenLayer.GTP_U, GtpUView.FIXED_LENGTH);
        NetworkOrder.putU32(packet.segment, header, 0x30ff_0000L);
        NetworkOrder.putU32(packet.segment, header + 4, teid);
        return this;
    }

    /** The same with a sequence number, 0 to 65535. */
    public PacketWriter gtpU(long teid, int sequenceNumber) {
        FieldRange.check("sequenceNumber", sequenceNumber, 0xffff);
        gtpU(teid);
        NetworkOrder.putU8(packet.segment, packet.lastHeader(), 0x32);
        return u32((long) sequenceNumber << 16);
    }

    // ---- transport

    public PacketWriter udp(int sourcePort, int destinationPort) {
        long header = ports(WrittenLayer.UDP, UdpView.LENGTH, sourcePort, destinationPort);
        NetworkOrder.putU32(packet.segment, header + 4, 0);
        return this;
    }

    /** TCP with a window of 65535; sequence numbers of 32 bits, flags as {@link TcpView} has them. */
    public PacketWriter tcp(
            int sourcePort, int destinationPort, long sequenceNumber, long acknowledgmentNumber, int flags) {
        FieldRange.check("sequenceNumber", sequenceNumber, MAX_U32);
        FieldRange.check("acknowledgmentNumber", acknowledgmentNumber, MAX_U32);
        FieldRange.check("flags", flags, 0xfff);
        long header = ports(WrittenLayer.TCP, TcpView.MIN_LENGTH, sourcePort, destinationPort);
        NetworkOrder.putU32(packet.segment, header + 4, sequenceNumber);
        NetworkOrder.putU32(packet.segment, header + 8, acknowledgmentNumber);
        NetworkOrder.putU32(packet.segment, header + 12, 0x5000_ffffL | (long) flags << 16);
        NetworkOrder.putU32(packet.segment, header + 16, 0);
        return this;
    }

    /** The same, with its other fields. */
    public PacketWriter tcp(
            int sourcePort,
            int destinationPort,
            long sequenceNumber,
            long acknowledgmentNumber,
            int flags,
            Consumer<TcpView> fields) {
        tcp(sourcePort, destinationPort, sequenceNumber, acknowledgmentNumber, flags);
        tcp.wrap(packet.segment, packet.lastHeader(), TcpView.MIN_LENGTH);
        fields.accept(tcp);
        return this;
    }

    /** Options of the TCP header just written; {@link TcpOptionWriter#end()} comes back here. */
    public TcpOptionWriter options() {
        options.begin();
        return options;
    }

    /** SCTP's common header (RFC 9260, 3.1); chunks are next. */
    public PacketWriter sctp(int sourcePort, int destinationPort, long verificationTag) {
        FieldRange.check("verificationTag", verificationTag, MAX_U32);
        long header = ports(WrittenLayer.SCTP, SctpView.LENGTH, sourcePort, destinationPort);
        NetworkOrder.putU32(packet.segment, header + 4, verificationTag);
        NetworkOrder.putU32(packet.segment, header + 8, 0);
        return this;
    }

    private long ports(WrittenLayer layer, int headerLength, int sourcePort, int destinationPort) {
        FieldRange.check("sourcePort", sourcePort, 0xffff);
        FieldRange.check("destinationPort", destinationPort, 0xffff);
        long header = packet.push(layer, headerLength);
        NetworkOrder.putU32(packet.segment, header, (long) sourcePort << 16 | destinationPort);
        return header;
    }

    /** A chunk of SCTP (RFC 9260, 3.2); its value is payload, its padding is added. */
    public PacketWriter sctpChunk(int type, int flags) {
        FieldRange.check("type", type, 0xff);
        FieldRange.check("flags", flags, 0xff);
        long header = packet.push(WrittenLayer.SCTP_CHUNK, 4);
        NetworkOrder.putU32(packet.segment, header, (long) type << 24 | flags << 16);
        return this;
    }

    /** A DATA chunk that is a whole message (RFC 9260, 3.3.1). */
    public PacketWriter sctpData(long tsn, int streamId, int streamSequenceNumber, long payloadProtocol) {
        FieldRange.check("streamId", streamId, 0xffff);
        FieldRange.check("streamSequenceNumber", streamSequenceNumber, 0xffff);
        return sctpChunk(0, 3).u32(tsn).u16(streamId).u16(streamSequenceNumber).u32(payloadProtocol);
    }

    /** ICMP (RFC 792); the second word means what the type says. */
    public PacketWriter icmp(int type, int code, long parameter) {
        return icmp(WrittenLayer.ICMP, type, code, parameter);
    }

    /** ICMPv6 (RFC 4443); the second word means what the type says. */
    public PacketWriter icmpv6(int type, int code, long parameter) {
        return icmp(WrittenLayer.ICMPV6, type, code, parameter);
    }

    private PacketWriter icmp(WrittenLayer layer, int type, int code, long parameter) {
        FieldRange.check("type", type, 0xff);
        FieldRange.check("code", code, 0xff);
        FieldRange.check("parameter", parameter, MAX_U32);
        long header = packet.push(layer, IcmpView.LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) type << 24 | code << 16);
        NetworkOrder.putU32(packet.segment, header + 4, parameter);
        return this;
    }

    // ---- payload, and headers that the writer does not know; one after the other

    public PacketWriter payload(byte[] bytes) {
        long at = packet.room("payload", bytes.length);
        MemorySegment.copy(bytes, 0, packet.segment, ValueLayout.JAVA_BYTE, at, bytes.length);
        return this;
    }

    public PacketWriter payload(MemorySegment from, long offset, int length) {
        MemorySegment.copy(from, offset, packet.segment, packet.room("payload", length), length);
        return this;
    }

    public PacketWriter payload(CompositeBuffer from, long position, int length) {
        from.copyTo(position, packet.segment, packet.room("payload", length), length);
        return this;
    }

    /** Text in UTF-8; half a surrogate pair becomes a question mark. */
    public PacketWriter text(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                u8(c);
            } else if (c < 0x800) {
                u16(0xc080 | c << 2 & 0x1f00 | c & 0x3f);
            } else if (!Character.isSurrogate(c)) {
                u8(0xe0 | c >>> 12).u16(0x8080 | c << 2 & 0x3f00 | c & 0x3f);
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                int point = Character.toCodePoint(c, text.charAt(++i));
                u16(0xf080 | point >>> 10 & 0x700 | point >>> 12 & 0x3f);
                u16(0x8080 | point << 2 & 0x3f00 | point & 0x3f);
            } else {
                u8('?');
            }
        }
        return this;
    }

    /** @param length 0 or more */
    public PacketWriter zeros(int length) {
        FieldRange.check("length", length, Integer.MAX_VALUE);
        long at = packet.room("payload", length);
        for (int i = 0; i < length; i++) {
            NetworkOrder.putU8(packet.segment, at + i, 0);
        }
        return this;
    }

    public PacketWriter u8(int value) {
        FieldRange.check("value", value, 0xff);
        NetworkOrder.putU8(packet.segment, packet.room("payload", 1), value);
        return this;
    }

    /** In network order, as the wider ones are. */
    public PacketWriter u16(int value) {
        FieldRange.check("value", value, 0xffff);
        NetworkOrder.putU16(packet.segment, packet.room("payload", 2), value);
        return this;
    }

    public PacketWriter u32(long value) {
        FieldRange.check("value", value, MAX_U32);
        NetworkOrder.putU32(packet.segment, packet.room("payload", 4), value);
        return this;
    }

    public PacketWriter bits64(long value) {
        NetworkOrder.putBits64(packet.segment, packet.room("payload", 8), value);
        return this;
    }

    @Override
    public String toString() {
        return "packet of " + packet.length() + " bytes so far";
    }
}
