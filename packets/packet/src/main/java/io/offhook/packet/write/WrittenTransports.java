package io.offhook.packet.write;

import io.offhook.packet.FieldRange;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.transport.SctpChunks;
import io.offhook.packet.transport.SctpView;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpView;
import io.offhook.packet.tunnel.GeneveView;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.tunnel.GtpUView;
import io.offhook.packet.tunnel.VxlanView;

/** Writes the headers of tunnels and transports. */
final class WrittenTransports {
    private static final long MAX_U32 = 0xffff_ffffL;

    private final WrittenPacket packet;
    private final WrittenPayload payload;

    WrittenTransports(WrittenPacket packet, WrittenPayload payload) {
        this.packet = packet;
        this.payload = payload;
    }

    void gre(int flags, long key, long sequenceNumber) {
        if ((flags & ~(GreView.CHECKSUM | GreView.KEY | GreView.SEQUENCE)) != 0) {
            throw new IllegalArgumentException(
                    "flags 0x" + Integer.toHexString(flags) + " contains more than C, K and S");
        }
        FieldRange.check("key", key, (flags & GreView.KEY) != 0 ? MAX_U32 : 0);
        FieldRange.check("sequenceNumber", sequenceNumber, (flags & GreView.SEQUENCE) != 0 ? MAX_U32 : 0);
        long header = packet.push(WrittenLayer.GRE, GreView.MIN_LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) flags << 16 | WrittenLayer.EXPERIMENTAL_TYPE);
        if ((flags & GreView.CHECKSUM) != 0) {
            payload.u32(0);
        }
        if ((flags & GreView.KEY) != 0) {
            payload.u32(key);
        }
        if ((flags & GreView.SEQUENCE) != 0) {
            payload.u32(sequenceNumber);
        }
    }

    void vxlan(int vni) {
        vxlan(WrittenLayer.VXLAN, 0x0800_0000L, vni);
    }

    void vxlanGpe(int vni) {
        vxlan(WrittenLayer.VXLAN_GPE, 0x0c00_0000L, vni);
    }

    private void vxlan(WrittenLayer layer, long flags, int vni) {
        FieldRange.check("vni", vni, 0xff_ffff);
        long header = packet.push(layer, VxlanView.LENGTH);
        NetworkOrder.putU32(packet.segment, header, flags);
        NetworkOrder.putU32(packet.segment, header + VxlanView.VNI, (long) vni << 8);
    }

    void geneve(int vni, byte[] options) {
        FieldRange.check("vni", vni, 0xff_ffff);
        FieldRange.checkMultiple("options.length", options.length, 0, 252, 4);
        long header = packet.push(WrittenLayer.GENEVE, GeneveView.FIXED_LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) options.length >>> 2 << 24 | WrittenLayer.EXPERIMENTAL_TYPE);
        NetworkOrder.putU32(packet.segment, header + GeneveView.VNI, (long) vni << 8);
        payload.bytes(options);
    }

    void gtpU(long teid) {
        FieldRange.check("teid", teid, MAX_U32);
        long header = packet.push(WrittenLayer.GTP_U, GtpUView.FIXED_LENGTH);
        NetworkOrder.putU32(packet.segment, header, 0x30ff_0000L);
        NetworkOrder.putU32(packet.segment, header + GtpUView.TEID, teid);
    }

    void gtpU(long teid, int sequenceNumber) {
        FieldRange.check("sequenceNumber", sequenceNumber, 0xffff);
        gtpU(teid);
        NetworkOrder.putU8(packet.segment, packet.lastHeader(), 0x32);
        payload.u32((long) sequenceNumber << 16);
    }

    void udp(int sourcePort, int destinationPort) {
        long header = ports(WrittenLayer.UDP, UdpView.LENGTH, sourcePort, destinationPort);
        NetworkOrder.putU32(packet.segment, header + UdpView.DATAGRAM_LENGTH, 0);
    }

    void tcp(int sourcePort, int destinationPort, long sequenceNumber, long acknowledgmentNumber, int flags) {
        FieldRange.check("sequenceNumber", sequenceNumber, MAX_U32);
        FieldRange.check("acknowledgmentNumber", acknowledgmentNumber, MAX_U32);
        FieldRange.check("flags", flags, 0xfff);
        long header = ports(WrittenLayer.TCP, TcpView.MIN_LENGTH, sourcePort, destinationPort);
        NetworkOrder.putU32(packet.segment, header + TcpView.SEQUENCE_NUMBER, sequenceNumber);
        NetworkOrder.putU32(packet.segment, header + TcpView.ACKNOWLEDGMENT_NUMBER, acknowledgmentNumber);
        NetworkOrder.putU32(packet.segment, header + TcpView.OFFSET_FLAGS, 0x5000_ffffL | (long) flags << 16);
        NetworkOrder.putU32(packet.segment, header + TcpView.CHECKSUM, 0);
    }

    void sctp(int sourcePort, int destinationPort, long verificationTag) {
        FieldRange.check("verificationTag", verificationTag, MAX_U32);
        long header = ports(WrittenLayer.SCTP, SctpView.LENGTH, sourcePort, destinationPort);
        NetworkOrder.putU32(packet.segment, header + SctpView.VERIFICATION_TAG, verificationTag);
        NetworkOrder.putU32(packet.segment, header + SctpView.CHECKSUM, 0);
    }

    private long ports(WrittenLayer layer, int headerLength, int sourcePort, int destinationPort) {
        FieldRange.check("sourcePort", sourcePort, 0xffff);
        FieldRange.check("destinationPort", destinationPort, 0xffff);
        long header = packet.push(layer, headerLength);
        NetworkOrder.putU32(packet.segment, header, (long) sourcePort << 16 | destinationPort);
        return header;
    }

    void sctpChunk(int type, int flags) {
        FieldRange.check("type", type, 0xff);
        FieldRange.check("flags", flags, 0xff);
        long header = packet.push(WrittenLayer.SCTP_CHUNK, SctpChunks.HEADER);
        NetworkOrder.putU32(packet.segment, header, (long) type << 24 | flags << 16);
    }

    void icmp(int type, int code, long parameter) {
        icmp(WrittenLayer.ICMP, type, code, parameter);
    }

    void icmpv6(int type, int code, long parameter) {
        icmp(WrittenLayer.ICMPV6, type, code, parameter);
    }

    private void icmp(WrittenLayer layer, int type, int code, long parameter) {
        FieldRange.check("type", type, 0xff);
        FieldRange.check("code", code, 0xff);
        FieldRange.check("parameter", parameter, MAX_U32);
        long header = packet.push(layer, IcmpView.LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) type << 24 | code << 16);
        NetworkOrder.putU32(packet.segment, header + IcmpView.PARAMETER, parameter);
    }
}
