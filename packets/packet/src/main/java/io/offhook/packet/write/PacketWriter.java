package io.offhook.packet.write;

import io.offhook.packet.Endpoint;
import io.offhook.packet.FieldRange;
import io.offhook.packet.MacAddress;
import io.offhook.packet.buffer.CompositeBuffer;
import io.offhook.packet.link.SllView;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.tunnel.GreView;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Writes packets into memory, layer by layer from the outermost on. It fills in lengths, checksums, and the fields that
 * name the next layer (EtherType, protocol, next header).
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
 * <p>A lambda sets fields without a parameter through the setters of a view. {@link #length(int)} and {@link
 * #checksum(long)} set a value, right or wrong, that {@link #finish()} leaves alone. IPv4 and IPv6 inside another layer
 * form a tunnel.
 *
 * <p>Reusable and single-threaded; it allocates nothing, unless the caller's lambda captures. The caller owns the
 * memory. A layer that does not fit, or for which the layer below has no number, is an {@link IllegalStateException}; a
 * value that its field cannot hold, an {@link IllegalArgumentException}.
 */
public final class PacketWriter {
    /** The maximum number of layers of a packet. */
    public static final int MAX_LAYERS = 32;

    /** The UDP destination port of the tunnel (IANA). */
    public static final int VXLAN_PORT = 4789;
    /** The UDP destination port of the tunnel (IANA). */
    public static final int VXLAN_GPE_PORT = 4790;
    /** The UDP destination port of the tunnel (IANA). */
    public static final int GENEVE_PORT = 6081;
    /** The UDP destination port of the tunnel (IANA). */
    public static final int GTP_U_PORT = 2152;

    private static final long MAX_U32 = 0xffff_ffffL;

    private final WrittenPacket packet = new WrittenPacket();
    private final WrittenPayload payload = new WrittenPayload(packet);
    private final WrittenLinks links = new WrittenLinks(packet);
    private final WrittenNetworks networks = new WrittenNetworks(packet, payload);
    private final WrittenTransports transports = new WrittenTransports(packet, payload);
    private final TcpOptionWriter options = new TcpOptionWriter(this, packet);
    private final VlanView vlan = new VlanView();
    private final Ipv4View ipv4 = new Ipv4View();
    private final Ipv6View ipv6 = new Ipv6View();
    private final TcpView tcp = new TcpView();

    /** Creates a writer; call {@link #begin} first. */
    public PacketWriter() {}

    /** Begins a packet that may fill the rest of the segment. An unfinished packet is abandoned. */
    public PacketWriter begin(MemorySegment segment, long offset) {
        return begin(segment, offset, (int) Math.min(segment.byteSize() - offset, Integer.MAX_VALUE));
    }

    /**
     * Begins a packet.
     *
     * @param offset the offset of its first byte in the segment
     * @param capacity its maximum length, in bytes
     * @throws IndexOutOfBoundsException if that many bytes from the offset on are not inside the segment
     */
    public PacketWriter begin(MemorySegment segment, long offset, int capacity) {
        Objects.checkFromIndexSize(offset, capacity, segment.byteSize());
        packet.begin(segment, offset, capacity);
        return this;
    }

    /**
     * Fills in lengths and checksums and so ends the packet.
     *
     * @return the length of the packet, in bytes
     */
    public int finish() {
        return packet.finish(0);
    }

    /**
     * Ends the packet, then pads it with zeros, which no header counts, to the minimum length of the link: 60 on
     * Ethernet.
     *
     * @return the length of the packet with these zeros, in bytes
     */
    public int finish(int minimumLength) {
        return packet.finish(minimumLength);
    }

    /** The length so far, in bytes. */
    public int length() {
        return packet.length();
    }

    /** The offset in the segment of the last layer's header, to wrap a view around it. */
    public long lastHeaderOffset() {
        return packet.lastHeader();
    }

    /** Sets the length field of the last layer. */
    public PacketWriter length(int value) {
        packet.giveLength(value);
        return this;
    }

    /** Sets the checksum field of the last layer; 0 in UDP means no checksum. */
    public PacketWriter checksum(long value) {
        packet.giveChecksum(value);
        return this;
    }

    // ---- link

    /** Ethernet II; addresses as in {@link MacAddress}. */
    public PacketWriter ethernet(long source, long destination) {
        links.ethernet(source, destination);
        return this;
    }

    /** Ethernet with a length instead of a type (IEEE 802.3); {@link #llc} or {@link #snap} must follow. */
    public PacketWriter ieee8023(long source, long destination) {
        links.ieee8023(source, destination);
        return this;
    }

    /** Logical link control with an unnumbered control field (IEEE 802.2). */
    public PacketWriter llc(int destination, int source, int control) {
        links.llc(destination, source, control);
        return this;
    }

    /** LLC and SNAP (RFC 1042); the type is an EtherType. */
    public PacketWriter snap() {
        links.snap();
        return this;
    }

    /** A customer's tag (IEEE 802.1Q). */
    public PacketWriter vlan(int id) {
        links.vlan(id);
        return this;
    }

    /** The same, with further fields. */
    public PacketWriter vlan(int id, Consumer<VlanView> fields) {
        vlan(id);
        vlan.wrap(packet.segment, packet.lastHeader(), VlanView.LENGTH);
        fields.accept(vlan);
        return this;
    }

    /** A service provider's tag (IEEE 802.1ad). */
    public PacketWriter serviceVlan(int id) {
        links.serviceVlan(id);
        return this;
    }

    /** An entry of an MPLS label stack (RFC 3032); the last one written is the bottom of the stack. */
    public PacketWriter mpls(int label, int trafficClass, int ttl) {
        links.mpls(label, trafficClass, ttl);
        return this;
    }

    /** PPPoE's session stage (RFC 2516, 6), and the protocol number of PPP that follows it. */
    public PacketWriter pppoeSession(int sessionId) {
        links.pppoeSession(sessionId);
        return this;
    }

    /** PPPoE's discovery stage (RFC 2516, 5); its tags are payload. */
    public PacketWriter pppoeDiscovery(int code, int sessionId) {
        links.pppoeDiscovery(code, sessionId);
        return this;
    }

    /** PPP with address and control (RFC 1662, 3.1). */
    public PacketWriter ppp() {
        links.ppp();
        return this;
    }

    /** Linux cooked capture, version 1, of Ethernet; {@code packetType} as in {@link SllView#packetType()}. */
    public PacketWriter sll(int packetType, long source) {
        links.sll(packetType, source);
        return this;
    }

    /** Linux cooked capture, version 2, of Ethernet. */
    public PacketWriter sll2(int packetType, long interfaceIndex, long source) {
        links.sll2(packetType, interfaceIndex, source);
        return this;
    }

    /** The loopback header of BSD, in network byte order; the family of IPv6 is 30, as on macOS. */
    public PacketWriter nullLoopback() {
        links.nullLoopback();
        return this;
    }

    /** ARP of IPv4 over Ethernet (RFC 826). */
    public PacketWriter arp(
            int operation, long senderHardware, long senderProtocol, long targetHardware, long targetProtocol) {
        links.arp(operation, senderHardware, senderProtocol, targetHardware, targetProtocol);
        return this;
    }

    // ---- network

    /** IPv4 or IPv6, depending on the addresses, which must have the same version; ports are ignored. */
    public PacketWriter ip(Endpoint source, Endpoint destination) {
        if (source.isIpv4() != destination.isIpv4()) {
            throw new IllegalArgumentException(
                    "source " + source + " and destination " + destination + " differ in version");
        }
        return source.isIpv4()
                ? ipv4(source.low() & MAX_U32, destination.low() & MAX_U32)
                : ipv6(source.high(), source.low(), destination.high(), destination.low());
    }

    /** IPv4 with a TTL of 64 and "don't fragment"; addresses have 32 bits. */
    public PacketWriter ipv4(long source, long destination) {
        networks.ipv4(source, destination);
        return this;
    }

    /** The same, with further fields. */
    public PacketWriter ipv4(long source, long destination, Consumer<Ipv4View> fields) {
        ipv4(source, destination);
        ipv4.wrap(packet.segment, packet.lastHeader(), Ipv4View.MIN_LENGTH);
        fields.accept(ipv4);
        return this;
    }

    /**
     * Options of the IPv4 header just written, as encoded; padded with zeros (end of list) to a multiple of four bytes.
     */
    public PacketWriter ipv4Options(byte[] bytes) {
        networks.ipv4Options(bytes);
        return this;
    }

    /** IPv6 with a hop limit of 64; an address is two numbers of 64 bits. */
    public PacketWriter ipv6(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
        networks.ipv6(sourceHigh, sourceLow, destinationHigh, destinationLow);
        return this;
    }

    /** The same, with further fields. */
    public PacketWriter ipv6(
            long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, Consumer<Ipv6View> fields) {
        ipv6(sourceHigh, sourceLow, destinationHigh, destinationLow);
        ipv6.wrap(packet.segment, packet.lastHeader(), Ipv6View.LENGTH);
        fields.accept(ipv6);
        return this;
    }

    /** Hop-by-hop options of IPv6 (RFC 8200, 4.3), as encoded; padded with PadN. */
    public PacketWriter hopByHop(byte[] options) {
        networks.hopByHop(options);
        return this;
    }

    /** Destination options of IPv6 (RFC 8200, 4.6), as encoded; padded with PadN. */
    public PacketWriter destinationOptions(byte[] options) {
        networks.destinationOptions(options);
        return this;
    }

    /**
     * A routing header (RFC 8200, 4.4). While segments are left, checksums of TCP, UDP and ICMPv6 cover the final
     * destination, for types 0, 2 and 4 (segment routing, RFC 8754).
     *
     * @param data the header after its fourth byte, 4 to 2044 bytes; the whole header must be a multiple of eight bytes
     */
    public PacketWriter routing(int type, int segmentsLeft, byte[] data) {
        networks.routing(type, segmentsLeft, data);
        return this;
    }

    /**
     * The fragment header of IPv6 (RFC 8200, 4.5). Checksums above it cover this packet only, so set that of a
     * fragmented datagram by {@link #checksum}.
     *
     * @param fragmentOffset in units of eight bytes, 0 to 8191
     */
    public PacketWriter fragment(int fragmentOffset, boolean moreFragments, long identification) {
        networks.fragment(fragmentOffset, moreFragments, identification);
        return this;
    }

    /**
     * An authentication header (RFC 4302); {@code checkValue}, which the caller computes, is 4 to 1012 bytes, a
     * multiple of four.
     */
    public PacketWriter authentication(long spi, long sequenceNumber, byte[] checkValue) {
        networks.authentication(spi, sequenceNumber, checkValue);
        return this;
    }

    /** The clear part of an encapsulating security payload (RFC 4303); the encrypted part is payload. */
    public PacketWriter esp(long spi, long sequenceNumber) {
        networks.esp(spi, sequenceNumber);
        return this;
    }

    // ---- tunnels; those over UDP are identified by its destination port

    /** GRE without options (RFC 2784). */
    public PacketWriter gre() {
        return gre(0, 0, 0);
    }

    /**
     * GRE with options (RFC 2890). NVGRE (RFC 7637) is GRE with a key of 24 bits of network and 8 bits of flow,
     * carrying Ethernet.
     *
     * @param flags {@link GreView#CHECKSUM}, {@link GreView#KEY}, {@link GreView#SEQUENCE}, or a combination
     * @param key 32 bits; 0 without its flag
     * @param sequenceNumber 32 bits; 0 without its flag
     */
    public PacketWriter gre(int flags, long key, long sequenceNumber) {
        transports.gre(flags, key, sequenceNumber);
        return this;
    }

    /** VXLAN (RFC 7348); Ethernet must follow. */
    public PacketWriter vxlan(int vni) {
        transports.vxlan(vni);
        return this;
    }

    /**
     * VXLAN with the generic protocol extension (draft-ietf-nvo3-vxlan-gpe); Ethernet, IPv4, IPv6 or MPLS must follow.
     */
    public PacketWriter vxlanGpe(int vni) {
        transports.vxlanGpe(vni);
        return this;
    }

    /** Geneve (RFC 8926); {@code options} as encoded, 0 to 252 bytes, a multiple of four. */
    public PacketWriter geneve(int vni, byte[] options) {
        transports.geneve(vni, options);
        return this;
    }

    /** The GTP-U message that carries a user's packet (3GPP TS 29.281); IPv4 or IPv6 must follow. */
    public PacketWriter gtpU(long teid) {
        transports.gtpU(teid);
        return this;
    }

    /** The same with a sequence number, 0 to 65535. */
    public PacketWriter gtpU(long teid, int sequenceNumber) {
        transports.gtpU(teid, sequenceNumber);
        return this;
    }

    // ---- transport

    /** UDP (RFC 768); ports are 0 to 65535. */
    public PacketWriter udp(int sourcePort, int destinationPort) {
        transports.udp(sourcePort, destinationPort);
        return this;
    }

    /** TCP with a window of 65535; sequence numbers have 32 bits, flags are those of {@link TcpView}. */
    public PacketWriter tcp(
            int sourcePort, int destinationPort, long sequenceNumber, long acknowledgmentNumber, int flags) {
        transports.tcp(sourcePort, destinationPort, sequenceNumber, acknowledgmentNumber, flags);
        return this;
    }

    /** The same, with further fields. */
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

    /** Options of the TCP header just written; {@link TcpOptionWriter#end()} returns to this writer. */
    public TcpOptionWriter options() {
        options.begin();
        return options;
    }

    /** The common header of SCTP (RFC 9260, 3.1); chunks must follow. */
    public PacketWriter sctp(int sourcePort, int destinationPort, long verificationTag) {
        transports.sctp(sourcePort, destinationPort, verificationTag);
        return this;
    }

    /** An SCTP chunk (RFC 9260, 3.2); its value is payload, and padding is added. */
    public PacketWriter sctpChunk(int type, int flags) {
        transports.sctpChunk(type, flags);
        return this;
    }

    /** A DATA chunk that is a whole message (RFC 9260, 3.3.1). */
    public PacketWriter sctpData(long tsn, int streamId, int streamSequenceNumber, long payloadProtocol) {
        FieldRange.check("streamId", streamId, 0xffff);
        FieldRange.check("streamSequenceNumber", streamSequenceNumber, 0xffff);
        return sctpChunk(0, 3).u32(tsn).u16(streamId).u16(streamSequenceNumber).u32(payloadProtocol);
    }

    /** ICMP (RFC 792); the meaning of the second word depends on the type. */
    public PacketWriter icmp(int type, int code, long parameter) {
        transports.icmp(type, code, parameter);
        return this;
    }

    /** ICMPv6 (RFC 4443); the meaning of the second word depends on the type. */
    public PacketWriter icmpv6(int type, int code, long parameter) {
        transports.icmpv6(type, code, parameter);
        return this;
    }

    // ---- payload, and headers unknown to the writer, in any order

    /** As {@link #payload(byte[])}, from other memory. */
    public PacketWriter payload(byte[] bytes) {
        payload.bytes(bytes);
        return this;
    }

    /** As {@link #payload(byte[])}, from other memory. */
    public PacketWriter payload(MemorySegment from, long offset, int length) {
        payload.bytes(from, offset, length);
        return this;
    }

    /** As {@link #payload(byte[])}, from other memory. */
    public PacketWriter payload(CompositeBuffer from, long position, int length) {
        payload.bytes(from, position, length);
        return this;
    }

    /** Text in UTF-8; an unpaired surrogate becomes a question mark. */
    public PacketWriter text(CharSequence text) {
        payload.text(text);
        return this;
    }

    /**
     * Payload of {@code length} zero bytes.
     *
     * @param length 0 or more
     */
    public PacketWriter zeros(int length) {
        payload.zeros(length);
        return this;
    }

    /** A byte of payload, 0 to 255. */
    public PacketWriter u8(int value) {
        payload.u8(value);
        return this;
    }

    /** Two bytes of payload, the highest first; 0 to 65535. */
    public PacketWriter u16(int value) {
        payload.u16(value);
        return this;
    }

    /** Four bytes of payload, the highest first. */
    public PacketWriter u32(long value) {
        payload.u32(value);
        return this;
    }

    /** Eight bytes of payload, the highest first. */
    public PacketWriter bits64(long value) {
        payload.bits64(value);
        return this;
    }

    @Override
    public String toString() {
        return "packet of " + packet.length() + " bytes so far: " + packet.labels();
    }
}
