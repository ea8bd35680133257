package io.offhook.packet;

import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A field that stands at a fixed place of a header, whatever is in the rest: the tables of them that {@link LayerFields}
 * goes through.
 *
 * @param bitOffset of its first bit, from the header's start; bit 0 is the highest of the first byte
 * @param bits its width, 1 to 128
 */
record HeaderField(String name, int bitOffset, int bits, Form form) {
    private static final Map<LayerType, List<HeaderField>> OF_LAYER = tables();

    /** How a value is told. */
    enum Form {
        NUMBER,
        /** A whole byte in two's complement. */
        SIGNED,
        /** A number with the lowest byte first. */
        LITTLE,
        FLAG,
        MAC,
        IPV4,
        IPV6,
        BYTES
    }

    static List<HeaderField> of(LayerType type) {
        return OF_LAYER.getOrDefault(type, List.of());
    }

    /** Where the byte behind it is, from the header's start. */
    int end() {
        return bitOffset + bits + 7 >>> 3;
    }

    /** Tells the visitor; the caller has seen that the bytes up to {@link #end()} are there. */
    void visit(MemorySegment segment, long header, FieldVisitor visitor) {
        long at = header + (bitOffset >>> 3);
        switch (form) {
            case NUMBER -> visitor.number(name, value(segment, at));
            case SIGNED -> visitor.number(name, (byte) NetworkOrder.u8(segment, at));
            case LITTLE ->
                visitor.number(name, bits == 16 ? LittleEndian.u16(segment, at) : LittleEndian.u32(segment, at));
            case BYTES -> visitor.bytes(name, segment, at, bits >>> 3);
            case FLAG -> visitor.flag(name, value(segment, at) != 0);
            case MAC -> visitor.text(name, MacAddress.text(NetworkOrder.u48(segment, at)));
            case IPV4 -> visitor.text(name, Endpoint.readIpv4(segment, at, 0).addressText());
            case IPV6 ->
                visitor.text(
                        name,
                        Endpoint.ipv6Text(NetworkOrder.bits64(segment, at), NetworkOrder.bits64(segment, at + 8)));
        }
    }

    /** Fields of numbers lie within 56 bits from the start of a byte. */
    private long value(MemorySegment segment, long at) {
        int lead = bitOffset & 7;
        int bytes = lead + bits + 7 >>> 3;
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | NetworkOrder.u8(segment, at + i);
        }
        return value >>> 8 * bytes - lead - bits & (1L << bits) - 1;
    }

    private static HeaderField number(String name, int bitOffset, int bits) {
        return new HeaderField(name, bitOffset, bits, Form.NUMBER);
    }

    private static HeaderField flag(String name, int bitOffset) {
        return new HeaderField(name, bitOffset, 1, Form.FLAG);
    }

    private static HeaderField address(String name, int bitOffset, Form form) {
        int bits = form == Form.MAC ? 48 : form == Form.IPV4 ? 32 : 128;
        return new HeaderField(name, bitOffset, bits, form);
    }

    private static Map<LayerType, List<HeaderField>> tables() {
        Map<LayerType, List<HeaderField>> tables = new EnumMap<>(LayerType.class);
        links(tables);
        tags(tables);
        networks(tables);
        tunnels(tables);
        transports(tables);
        HeaderLayouts.addTo(tables);
        return tables;
    }

    private static void links(Map<LayerType, List<HeaderField>> tables) {
        tables.put(
                LayerType.ETHERNET,
                List.of(address("destination", 0, Form.MAC), address("source", 48, Form.MAC), number("type", 96, 16)));
        tables.put(
                LayerType.FDDI,
                List.of(number("control", 0, 8), address("destination", 8, Form.MAC), address("source", 56, Form.MAC)));
        tables.put(
                LayerType.TOKEN_RING, List.of(address("destination", 16, Form.MAC), address("source", 64, Form.MAC)));
        tables.put(
                LayerType.LINUX_SLL,
                List.of(
                        number("packetType", 0, 16),
                        number("hardwareType", 16, 16),
                        number("addressLength", 32, 16),
                        number("protocol", 112, 16)));
        tables.put(
                LayerType.LINUX_SLL2,
                List.of(
                        number("protocol", 0, 16),
                        number("interfaceIndex", 32, 32),
                        number("hardwareType", 64, 16),
                        number("packetType", 80, 8),
                        number("addressLength", 88, 8)));
        tables.put(
                LayerType.PPPOE,
                List.of(
                        number("version", 0, 4),
                        number("type", 4, 4),
                        number("code", 8, 8),
                        number("sessionId", 16, 16),
                        number("payloadLength", 32, 16)));
        tables.put(
                LayerType.ARP,
                List.of(
                        number("hardwareType", 0, 16),
                        number("protocolType", 16, 16),
                        number("hardwareLength", 32, 8),
                        number("protocolLength", 40, 8),
                        number("operation", 48, 16)));
    }

    private static void tags(Map<LayerType, List<HeaderField>> tables) {
        List<HeaderField> vlan =
                List.of(number("priority", 0, 3), flag("dropEligible", 3), number("id", 4, 12), number("type", 16, 16));
        tables.put(LayerType.VLAN, vlan);
        tables.put(LayerType.SERVICE_VLAN, vlan);
        tables.put(
                LayerType.PBB, List.of(number("priority", 0, 3), flag("dropEligible", 3), number("serviceId", 8, 24)));
        tables.put(LayerType.FABRIC_PATH, List.of(number("tree", 0, 10), number("ttl", 10, 6)));
        tables.put(
                LayerType.MPLS,
                List.of(
                        number("label", 0, 20),
                        number("trafficClass", 20, 3),
                        flag("bottom", 23),
                        number("ttl", 24, 8)));
        tables.put(LayerType.LLC, List.of(number("destination", 0, 8), number("source", 8, 8)));
    }

    private static void networks(Map<LayerType, List<HeaderField>> tables) {
        tables.put(
                LayerType.IPV4,
                List.of(
                        number("dscp", 8, 6),
                        number("ecn", 14, 2),
                        number("totalLength", 16, 16),
                        number("identification", 32, 16),
                        flag("dontFragment", 49),
                        flag("moreFragments", 50),
                        number("fragmentOffset", 51, 13),
                        number("ttl", 64, 8),
                        number("protocol", 72, 8),
                        number("checksum", 80, 16),
                        address("source", 96, Form.IPV4),
                        address("destination", 128, Form.IPV4)));
        tables.put(
                LayerType.IPV6,
                List.of(
                        number("dscp", 4, 6),
                        number("ecn", 10, 2),
                        number("flowLabel", 12, 20),
                        number("payloadLength", 32, 16),
                        number("nextHeader", 48, 8),
                        number("hopLimit", 56, 8),
                        address("source", 64, Form.IPV6),
                        address("destination", 192, Form.IPV6)));
        List<HeaderField> options = List.of(number("nextHeader", 0, 8));
        tables.put(LayerType.HOP_BY_HOP, options);
        tables.put(LayerType.DESTINATION_OPTIONS, options);
        tables.put(LayerType.IPV6_EXTENSION, options);
        tables.put(
                LayerType.IPV6_FRAGMENT,
                List.of(
                        number("nextHeader", 0, 8),
                        number("fragmentOffset", 16, 13),
                        flag("moreFragments", 31),
                        number("identification", 32, 32)));
        tables.put(
                LayerType.AUTHENTICATION,
                List.of(number("nextHeader", 0, 8), number("spi", 32, 32), number("sequenceNumber", 64, 32)));
        tables.put(LayerType.ESP, List.of(number("spi", 0, 32), number("sequenceNumber", 32, 32)));
    }

    private static void tunnels(Map<LayerType, List<HeaderField>> tables) {
        tables.put(
                LayerType.GRE, List.of(number("flags", 0, 16), number("version", 13, 3), number("protocol", 16, 16)));
        tables.put(LayerType.VXLAN, List.of(number("flags", 0, 8), number("protocol", 24, 8), number("vni", 32, 24)));
        tables.put(
                LayerType.GENEVE,
                List.of(
                        number("version", 0, 2),
                        flag("control", 8),
                        flag("criticalOptions", 9),
                        number("protocol", 16, 16),
                        number("vni", 32, 24)));
        tables.put(
                LayerType.GTP_U,
                List.of(
                        number("version", 0, 3),
                        number("flags", 5, 3),
                        number("type", 8, 8),
                        number("messageLength", 16, 16),
                        number("teid", 32, 32)));
    }

    private static void transports(Map<LayerType, List<HeaderField>> tables) {
        tables.put(
                LayerType.TCP,
                List.of(
                        number("sourcePort", 0, 16),
                        number("destinationPort", 16, 16),
                        number("sequenceNumber", 32, 32),
                        number("acknowledgmentNumber", 64, 32),
                        number("flags", 100, 12),
                        number("window", 112, 16),
                        number("checksum", 128, 16),
                        number("urgentPointer", 144, 16)));
        tables.put(
                LayerType.UDP,
                List.of(
                        number("sourcePort", 0, 16),
                        number("destinationPort", 16, 16),
                        number("length", 32, 16),
                        number("checksum", 48, 16)));
        tables.put(
                LayerType.SCTP,
                List.of(
                        number("sourcePort", 0, 16),
                        number("destinationPort", 16, 16),
                        number("verificationTag", 32, 32),
                        number("checksum", 64, 32)));
        List<HeaderField> icmp = List.of(number("type", 0, 8), number("code", 8, 8), number("checksum", 16, 16));
        tables.put(LayerType.ICMP, icmp);
        tables.put(LayerType.ICMPV6, icmp);
    }
}
