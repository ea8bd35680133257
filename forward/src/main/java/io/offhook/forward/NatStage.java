package io.offhook.forward;

import io.offhook.packet.InternetChecksum;
import io.offhook.packet.Ipv4View;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Static network address translation of IPv4 (RFC 3022) by a {@link NatTable}: the destination of what comes from outside,
 * before it is routed, or the source of what goes outside, afterwards. Checksums of IP, UDP, TCP and ICMP follow by difference
 * (RFC 1624); in an ICMP error the packet that it quotes is translated the other way, too (RFC 5508, 4). The table can be
 * exchanged while it runs.
 */
public final class NatStage implements Stage {
    private static final int FRAGMENT = 0;
    private static final int MALFORMED = 1;

    private static final int SOURCE_AT = 12;
    private static final int DESTINATION_AT = 16;
    private static final int ICMP = 1;
    private static final int ICMP_HEADER = 8;

    private final boolean isDestination;
    private final long outsidePorts;
    private final Ipv4View ip = new Ipv4View();
    private final Ipv4View quoted = new Ipv4View();
    private volatile NatTable table;

    /**
     * One of the two directions.
     *
     * @param isDestination whether destinations are translated of what comes from outside; else sources of what goes there
     * @param outsidePorts the ports that are outside, a bit each
     * @param table what stands for what
     */
    public NatStage(boolean isDestination, long outsidePorts, NatTable table) {
        this.isDestination = isDestination;
        this.outsidePorts = outsidePorts;
        this.table = table;
    }

    /** Takes another table from the next burst on. Any thread. */
    public void exchange(NatTable table) {
        this.table = table;
    }

    @Override
    public String name() {
        return isDestination ? "nat-destination" : "nat-source";
    }

    @Override
    public List<String> dropCauses() {
        return List.of("fragment without ports", "malformed");
    }

    @Override
    public void process(Burst burst) {
        NatTable current = table;
        for (int i = 0, count = burst.count(); i < count; i++) {
            int port = burst.port(i);
            boolean isOurs = isDestination
                    ? port >= 0 && (outsidePorts >>> port & 1) != 0
                    : (burst.outputs(i) & outsidePorts) != 0;
            if (isOurs) {
                translate(current, burst, i);
            }
        }
    }

    private void translate(NatTable current, Burst burst, int i) {
        MemorySegment memory = burst.memory();
        long start = burst.address(i);
        int length = burst.length(i) - EthernetFrames.HEADER;
        if (length < 0 || NetworkOrder.u16(memory, start + EthernetFrames.TYPE) != EthernetFrames.IPV4) {
            return;
        }
        long header = start + EthernetFrames.HEADER;
        WrapStatus status = ip.wrap(memory, header, length);
        if (status != WrapStatus.OK) {
            burst.drop(i, MALFORMED);
            return;
        }
        int payloadLength = ip.payloadLength();
        long payload = ip.payloadOffset();
        int protocol = ip.protocol();
        boolean isFirst = ip.fragmentOffset() == 0;
        boolean hasPorts = isFirst && (protocol == NatTable.TCP || protocol == NatTable.UDP) && payloadLength >= 4;
        int portAt = isDestination ? 2 : 0;
        int addressAt = isDestination ? DESTINATION_AT : SOURCE_AT;
        int address = NetworkOrder.bits32(memory, header + addressAt);
        int port = hasPorts ? NetworkOrder.u16(memory, payload + portAt) : 0;
        long found = isDestination ? current.inside(address, protocol, port) : current.outside(address, protocol, port);
        if (found < 0) {
            if (!isFirst && isDestination && current.hasParts(address)) {
                burst.drop(i, FRAGMENT); // whose ports are in another packet
            }
            return;
        }
        int newAddress = (int) (found >>> 16);
        int newPort = (int) (found & 0xffff);
        if (protocol == ICMP && !ip.isFragment()) {
            translateQuoted(memory, payload, payloadLength, address, newAddress, current);
        }
        int checksumAt = !isFirst ? -1 : checksumAt(protocol, payloadLength);
        boolean hasChecksum =
                checksumAt >= 0 && (protocol != NatTable.UDP || NetworkOrder.u16(memory, payload + checksumAt) != 0);
        long checksum = hasChecksum ? payload + checksumAt : -1;
        put32(memory, header + addressAt, newAddress, header + 10, checksum, protocol == NatTable.UDP);
        if (hasPorts && newPort != 0) {
            put16(memory, payload + portAt, newPort, checksum, protocol == NatTable.UDP);
        }
        burst.changed(i);
    }

    private static int checksumAt(int protocol, int length) {
        int at = protocol == NatTable.TCP ? 16 : protocol == NatTable.UDP ? 6 : -1;
        return at < 0 || length < at + 2 ? -1 : at;
    }

    /**
     * An ICMP error from the one side quotes a packet that went there from the other: what it quotes as its source (of a
     * packet that had come out) is translated as the error's destination is, and the other way round. The ICMP checksum
     * covers the quoted headers, their checksums too.
     */
    private void translateQuoted(
            MemorySegment memory, long icmp, int length, int address, int newAddress, NatTable current) {
        if (length < ICMP_HEADER + Ipv4View.MIN_LENGTH || !isError(NetworkOrder.u8(memory, icmp))) {
            return;
        }
        long header = icmp + ICMP_HEADER;
        if (quoted.wrap(memory, header, length - ICMP_HEADER) != WrapStatus.OK) {
            return;
        }
        int addressAt = isDestination ? SOURCE_AT : DESTINATION_AT;
        int portAt = isDestination ? 0 : 2;
        long payload = quoted.payloadOffset();
        int payloadLength = quoted.payloadLength();
        int protocol = quoted.protocol();
        boolean hasPorts = quoted.fragmentOffset() == 0
                && (protocol == NatTable.TCP || protocol == NatTable.UDP)
                && payloadLength >= 4;
        int was = NetworkOrder.bits32(memory, header + addressAt);
        int port = hasPorts ? NetworkOrder.u16(memory, payload + portAt) : 0;
        long found = isDestination ? current.inside(was, protocol, port) : current.outside(was, protocol, port);
        if (found < 0 || was != address || (int) (found >>> 16) != newAddress) {
            return; // it quotes another packet
        }
        long sum = icmp + 2;
        int before = InternetChecksum.sum(memory, header, length - ICMP_HEADER, 0);
        int checksumAt = quoted.fragmentOffset() == 0 ? checksumAt(protocol, payloadLength) : -1;
        boolean hasChecksum =
                checksumAt >= 0 && (protocol != NatTable.UDP || NetworkOrder.u16(memory, payload + checksumAt) != 0);
        long checksum = hasChecksum ? payload + checksumAt : -1;
        put32(memory, header + addressAt, newAddress, header + 10, checksum, protocol == NatTable.UDP);
        if (hasPorts && (found & 0xffff) != 0) {
            put16(memory, payload + portAt, (int) (found & 0xffff), checksum, protocol == NatTable.UDP);
        }
        int after = InternetChecksum.sum(memory, header, length - ICMP_HEADER, 0);
        int old = NetworkOrder.u16(memory, sum);
        NetworkOrder.putU16(memory, sum, InternetChecksum.update(old, before, after));
    }

    private static boolean isError(int type) {
        return type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
    }

    /** Writes an address, and keeps the checksum of the IP header and, where it is not -1, that of its payload. */
    private static void put32(
            MemorySegment memory, long at, int value, long headerChecksum, long checksum, boolean isUdp) {
        int high = NetworkOrder.u16(memory, at);
        int low = NetworkOrder.u16(memory, at + 2);
        NetworkOrder.putU32(memory, at, value);
        update(memory, headerChecksum, high, value >>> 16, false);
        update(memory, headerChecksum, low, value & 0xffff, false);
        if (checksum >= 0) {
            update(memory, checksum, high, value >>> 16, isUdp);
            update(memory, checksum, low, value & 0xffff, isUdp);
        }
    }

    private static void put16(MemorySegment memory, long at, int value, long checksum, boolean isUdp) {
        int before = NetworkOrder.u16(memory, at);
        NetworkOrder.putU16(memory, at, value);
        if (checksum >= 0) {
            update(memory, checksum, before, value, isUdp);
        }
    }

    /** Of UDP, 0 would say that there is none (RFC 768). */
    private static void update(MemorySegment memory, long at, int before, int after, boolean isUdp) {
        int checksum = InternetChecksum.update(NetworkOrder.u16(memory, at), before, after);
        NetworkOrder.putU16(memory, at, checksum == 0 && isUdp ? 0xffff : checksum);
    }
}
