package io.offhook.packet.write;

import io.offhook.packet.FieldRange;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.network.AuthenticationView;
import io.offhook.packet.network.EspView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6FragmentView;
import io.offhook.packet.network.Ipv6RoutingView;
import io.offhook.packet.network.Ipv6View;

/** Writes the headers of IPv4 and IPv6, and those between them and the transport. */
final class WrittenNetworks {
    /** The protocol of an IPv4 or IPv6 header until the next layer is known: nothing follows. */
    private static final int NO_NEXT_HEADER = 59;

    private static final long MAX_U32 = 0xffff_ffffL;

    private final WrittenPacket packet;
    private final WrittenPayload payload;

    WrittenNetworks(WrittenPacket packet, WrittenPayload payload) {
        this.packet = packet;
        this.payload = payload;
    }

    void ipv4(long source, long destination) {
        FieldRange.check("source", source, MAX_U32);
        FieldRange.check("destination", destination, MAX_U32);
        long header = packet.push(WrittenLayer.IPV4, Ipv4View.MIN_LENGTH);
        NetworkOrder.putU32(packet.segment, header, 0x4500_0000L);
        NetworkOrder.putU32(packet.segment, header + Ipv4View.IDENTIFICATION, 0x4000);
        NetworkOrder.putU32(packet.segment, header + Ipv4View.TTL, 64L << 24 | NO_NEXT_HEADER << 16);
        NetworkOrder.putU32(packet.segment, header + Ipv4View.SOURCE, source);
        NetworkOrder.putU32(packet.segment, header + Ipv4View.DESTINATION, destination);
    }

    void ipv4Options(byte[] bytes) {
        long header = packet.last(WrittenLayer.IPV4, "ipv4Options");
        if (packet.lengthFrom(header) != Ipv4View.MIN_LENGTH) {
            throw new IllegalStateException("ipv4Options: something else follows the IPv4 header already");
        }
        FieldRange.check("ipv4Options.length", bytes.length, 40);
        payload.bytes(bytes);
        payload.zeros(-bytes.length & 3);
        NetworkOrder.putU8(packet.segment, header, 0x40 | packet.lengthFrom(header) >>> 2);
    }

    void ipv6(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
        long header = packet.push(WrittenLayer.IPV6, Ipv6View.LENGTH);
        NetworkOrder.putU32(packet.segment, header, 0x6000_0000L);
        NetworkOrder.putU32(packet.segment, header + Ipv6View.PAYLOAD_LENGTH, NO_NEXT_HEADER << 8 | 64);
        NetworkOrder.putBits64(packet.segment, header + Ipv6View.SOURCE, sourceHigh);
        NetworkOrder.putBits64(packet.segment, header + Ipv6View.SOURCE + 8, sourceLow);
        NetworkOrder.putBits64(packet.segment, header + Ipv6View.DESTINATION, destinationHigh);
        NetworkOrder.putBits64(packet.segment, header + Ipv6View.DESTINATION + 8, destinationLow);
    }

    void hopByHop(byte[] options) {
        ipv6Options(WrittenLayer.HOP_BY_HOP, options);
    }

    void destinationOptions(byte[] options) {
        ipv6Options(WrittenLayer.DESTINATION_OPTIONS, options);
    }

    private void ipv6Options(WrittenLayer layer, byte[] options) {
        FieldRange.check(layer.lengthLabel(), options.length, 2046);
        extension(layer, options.length + 2);
        payload.bytes(options);
        int padding = -(options.length + 2) & 7;
        if (padding == 1) {
            payload.u8(0); // Pad1
        } else if (padding > 1) {
            payload.u8(1);
            payload.u8(padding - 2);
            payload.zeros(padding - 2);
        }
    }

    void routing(int type, int segmentsLeft, byte[] data) {
        FieldRange.check("type", type, 0xff);
        FieldRange.check("segmentsLeft", segmentsLeft, 0xff);
        FieldRange.checkMultiple("routing.length", data.length + 4, 8, 2048, 8);
        long header = extension(WrittenLayer.ROUTING, data.length + 4);
        payload.u8(type);
        payload.u8(segmentsLeft);
        payload.bytes(data);
        NetworkOrder.putU8(
                packet.segment, header + Ipv6RoutingView.HEADER_EXTENSION_LENGTH, (data.length + 4 >>> 3) - 1);
    }

    /** The first two bytes of an extension header of {@code length} bytes, rounded up to a multiple of eight. */
    private long extension(WrittenLayer layer, int length) {
        long header = packet.push(layer, 2);
        NetworkOrder.putU16(packet.segment, header, NO_NEXT_HEADER << 8 | (length + 7 >>> 3) - 1);
        return header;
    }

    void fragment(int fragmentOffset, boolean moreFragments, long identification) {
        FieldRange.check("fragmentOffset", fragmentOffset, 0x1fff);
        FieldRange.check("identification", identification, MAX_U32);
        long header = packet.push(WrittenLayer.IPV6_FRAGMENT, Ipv6FragmentView.LENGTH);
        int word = NO_NEXT_HEADER << 24 | fragmentOffset << 3 | (moreFragments ? 1 : 0);
        NetworkOrder.putU32(packet.segment, header, word);
        NetworkOrder.putU32(packet.segment, header + Ipv6FragmentView.IDENTIFICATION, identification);
    }

    void authentication(long spi, long sequenceNumber, byte[] checkValue) {
        FieldRange.check("spi", spi, MAX_U32);
        FieldRange.check("sequenceNumber", sequenceNumber, MAX_U32);
        FieldRange.checkMultiple("checkValue.length", checkValue.length, 4, 1012, 4);
        long header = packet.push(WrittenLayer.AUTHENTICATION, AuthenticationView.MIN_LENGTH);
        NetworkOrder.putU32(packet.segment, header, NO_NEXT_HEADER << 24 | checkValue.length + 4 >>> 2 << 16);
        NetworkOrder.putU32(packet.segment, header + AuthenticationView.SPI, spi);
        NetworkOrder.putU32(packet.segment, header + AuthenticationView.SEQUENCE_NUMBER, sequenceNumber);
        payload.bytes(checkValue);
    }

    void esp(long spi, long sequenceNumber) {
        FieldRange.check("spi", spi, MAX_U32);
        FieldRange.check("sequenceNumber", sequenceNumber, MAX_U32);
        long header = packet.push(WrittenLayer.ESP, EspView.LENGTH);
        NetworkOrder.putU32(packet.segment, header + EspView.SPI, spi);
        NetworkOrder.putU32(packet.segment, header + EspView.SEQUENCE_NUMBER, sequenceNumber);
    }
}
