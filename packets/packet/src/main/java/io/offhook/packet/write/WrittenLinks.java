package io.offhook.packet.write;

import io.offhook.packet.FieldRange;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.link.ArpView;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.LlcView;
import io.offhook.packet.link.MplsView;
import io.offhook.packet.link.NullLoopbackView;
import io.offhook.packet.link.PppoeView;
import io.offhook.packet.link.Sll2View;
import io.offhook.packet.link.SllView;
import io.offhook.packet.link.VlanView;

/** Writes the headers of link layers. */
final class WrittenLinks {
    private static final long MAX_U32 = 0xffff_ffffL;
    private static final long MAX_MAC = 0xffff_ffff_ffffL;

    private final WrittenPacket packet;

    WrittenLinks(WrittenPacket packet) {
        this.packet = packet;
    }

    void ethernet(long source, long destination) {
        long header = addresses(WrittenLayer.ETHERNET, source, destination);
        NetworkOrder.putU16(packet.segment, header + EthernetView.TYPE, WrittenLayer.EXPERIMENTAL_TYPE);
    }

    void ieee8023(long source, long destination) {
        addresses(WrittenLayer.IEEE_802_3, source, destination);
    }

    private long addresses(WrittenLayer layer, long source, long destination) {
        FieldRange.check("source", source, MAX_MAC);
        FieldRange.check("destination", destination, MAX_MAC);
        long header = packet.push(layer, EthernetView.LENGTH);
        NetworkOrder.putU48(packet.segment, header + EthernetView.DESTINATION, destination);
        NetworkOrder.putU48(packet.segment, header + EthernetView.SOURCE, source);
        return header;
    }

    void llc(int destination, int source, int control) {
        FieldRange.check("destination", destination, 0xff);
        FieldRange.check("source", source, 0xff);
        FieldRange.check("control", control, 0xff);
        long header = packet.push(WrittenLayer.LLC, LlcView.MIN_LENGTH);
        NetworkOrder.putU24(packet.segment, header, destination << 16 | source << 8 | control);
    }

    void snap() {
        long header = packet.push(WrittenLayer.SNAP, LlcView.SNAP_LENGTH);
        NetworkOrder.putBits64(packet.segment, header, 0xaaaa_0300_0000_0000L | WrittenLayer.EXPERIMENTAL_TYPE);
    }

    void vlan(int id) {
        vlan(WrittenLayer.VLAN, id);
    }

    void serviceVlan(int id) {
        vlan(WrittenLayer.SERVICE_VLAN, id);
    }

    private void vlan(WrittenLayer layer, int id) {
        FieldRange.check("id", id, 0xfff);
        long header = packet.push(layer, VlanView.LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) id << 16 | WrittenLayer.EXPERIMENTAL_TYPE);
    }

    void mpls(int label, int trafficClass, int ttl) {
        FieldRange.check("label", label, 0xfffff);
        FieldRange.check("trafficClass", trafficClass, 7);
        FieldRange.check("ttl", ttl, 0xff);
        long header = packet.push(WrittenLayer.MPLS, MplsView.LENGTH);
        NetworkOrder.putU32(packet.segment, header, (long) label << 12 | trafficClass << 9 | 1 << 8 | ttl);
    }

    void pppoeSession(int sessionId) {
        long header = pppoe(WrittenLayer.PPPOE_SESSION, PppoeView.SESSION_DATA, sessionId, 2);
        NetworkOrder.putU16(packet.segment, header + PppoeView.LENGTH, 0xc021); // until the next layer is known
    }

    void pppoeDiscovery(int code, int sessionId) {
        FieldRange.check("code", code, 0xff);
        pppoe(WrittenLayer.PPPOE_DISCOVERY, code, sessionId, 0);
    }

    private long pppoe(WrittenLayer layer, int code, int sessionId, int more) {
        FieldRange.check("sessionId", sessionId, 0xffff);
        long header = packet.push(layer, PppoeView.LENGTH + more);
        NetworkOrder.putU32(packet.segment, header, 0x1100_0000L | code << 16 | sessionId);
        NetworkOrder.putU16(packet.segment, header + PppoeView.PAYLOAD_LENGTH, 0);
        return header;
    }

    void ppp() {
        NetworkOrder.putU32(packet.segment, packet.push(WrittenLayer.PPP, 4), 0xff03_c021L);
    }

    void sll(int packetType, long source) {
        FieldRange.check("packetType", packetType, 0xffff);
        FieldRange.check("source", source, MAX_MAC);
        long header = packet.push(WrittenLayer.SLL, SllView.LENGTH);
        NetworkOrder.putU16(packet.segment, header + SllView.PACKET_TYPE, packetType);
        NetworkOrder.putU32(packet.segment, header + SllView.HARDWARE_TYPE, 1 << 16 | 6);
        NetworkOrder.putBits64(packet.segment, header + SllView.ADDRESS, source << 16);
        NetworkOrder.putU16(packet.segment, header + SllView.PROTOCOL, WrittenLayer.EXPERIMENTAL_TYPE);
    }

    void sll2(int packetType, long interfaceIndex, long source) {
        FieldRange.check("packetType", packetType, 0xff);
        FieldRange.check("interfaceIndex", interfaceIndex, MAX_U32);
        FieldRange.check("source", source, MAX_MAC);
        long header = packet.push(WrittenLayer.SLL2, Sll2View.LENGTH);
        NetworkOrder.putU32(packet.segment, header + Sll2View.PROTOCOL, (long) WrittenLayer.EXPERIMENTAL_TYPE << 16);
        NetworkOrder.putU32(packet.segment, header + Sll2View.INTERFACE_INDEX, interfaceIndex);
        NetworkOrder.putU32(packet.segment, header + Sll2View.HARDWARE_TYPE, 1 << 16 | packetType << 8 | 6);
        NetworkOrder.putBits64(packet.segment, header + Sll2View.ADDRESS, source << 16);
    }

    void nullLoopback() {
        NetworkOrder.putU32(packet.segment, packet.push(WrittenLayer.NULL_LOOPBACK, NullLoopbackView.LENGTH), 0);
    }

    void arp(int operation, long senderHardware, long senderProtocol, long targetHardware, long targetProtocol) {
        FieldRange.check("operation", operation, 0xffff);
        FieldRange.check("senderHardware", senderHardware, MAX_MAC);
        FieldRange.check("senderProtocol", senderProtocol, MAX_U32);
        FieldRange.check("targetHardware", targetHardware, MAX_MAC);
        FieldRange.check("targetProtocol", targetProtocol, MAX_U32);
        long header = packet.push(WrittenLayer.ARP, ArpView.FIXED_LENGTH + 20);
        NetworkOrder.putBits64(packet.segment, header, 0x0001_0800_0604_0000L | operation);
        long addresses = header + ArpView.FIXED_LENGTH; // hardware and protocol, of the sender and of the target
        NetworkOrder.putU48(packet.segment, addresses, senderHardware);
        NetworkOrder.putU32(packet.segment, addresses + 6, senderProtocol);
        NetworkOrder.putU48(packet.segment, addresses + 10, targetHardware);
        NetworkOrder.putU32(packet.segment, addresses + 16, targetProtocol);
    }
}
