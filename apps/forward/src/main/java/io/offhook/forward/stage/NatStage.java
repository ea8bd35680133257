package io.offhook.forward.stage;

import io.offhook.forward.Burst;
import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Stage;
import io.offhook.forward.Translation;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.network.Ipv4View;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Static network address translation of IPv4 (RFC 3022) by a {@link NatTable}: of the destination of packets from
 * outside, before they are routed, or of the source of packets to outside, afterwards. Checksums of IP, UDP, TCP and
 * ICMP are updated incrementally (RFC 1624). In an ICMP error, the quoted packet is translated as well, in the other
 * direction (RFC 5508, 4). Later fragments are translated as the first one; those that arrive before it are dropped
 * (RFC 4787, REQ-14). The table can be replaced while it runs.
 */
public final class NatStage implements Stage {
    private static final int FRAGMENT = 0;
    private static final int MALFORMED = 1;
    private static final int NO_BUFFER = 2;

    private static final int SOURCE_AT = 12;
    private static final int DESTINATION_AT = 16;
    private static final int ICMP = 1;
    private static final int ICMP_HEADER = 8;

    private final boolean isDestination;
    private final long outsidePorts;
    private final Ipv4View ip = new Ipv4View();
    private final Ipv4View quoted = new Ipv4View();
    private final NatFragments fragments = new NatFragments();
    private volatile NatTable table;

    /**
     * Creates a stage for one direction.
     *
     * @param isDestination whether to translate destinations of packets from outside; otherwise, sources of packets to
     *     outside
     * @param outsidePorts the outside ports, one bit each
     * @param table the translations
     */
    public NatStage(boolean isDestination, long outsidePorts, NatTable table) {
        this.isDestination = isDestination;
        this.outsidePorts = outsidePorts;
        this.table = table;
    }

    /** Replaces the table from the next burst on. Any thread. */
    public void exchange(NatTable table) {
        this.table = table;
    }

    @Override
    public String name() {
        return isDestination ? "nat-destination" : "nat-source";
    }

    @Override
    public List<String> dropCauses() {
        return List.of("fragment without ports", "malformed", "no buffer for a copy");
    }

    @Override
    public void process(Burst burst) {
        NatTable current = table;
        for (int i = 0, count = burst.count(); i < count; i++) {
            int port = burst.port(i);
            if (isDestination) {
                if (port >= 0 && (outsidePorts >>> port & 1) != 0) {
                    translate(current, burst, i);
                }
            } else if ((burst.outputs(i) & outsidePorts) != 0) {
                // a copy to inside ports, as of a bridge that floods, stays unchanged
                if (burst.separate(i, outsidePorts)) {
                    translate(current, burst, i);
                } else {
                    burst.drop(i, NO_BUFFER);
                }
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
        int addressAt = isDestination ? DESTINATION_AT : SOURCE_AT;
        int portAt = isDestination ? 2 : 0;
        int address = NetworkOrder.bits32(memory, header + addressAt);
        int payloadLength = ip.payloadLength();
        long payload = ip.payloadOffset();
        int protocol = ip.protocol();
        if (protocol == ICMP
                && !ip.isFragment()
                && payloadLength >= ICMP_HEADER + Ipv4View.MIN_LENGTH
                && isError(NetworkOrder.u8(memory, payload))) {
            translateError(current, burst, i, header, address, payload, payloadLength);
            return;
        }
        boolean isFirst = ip.fragmentOffset() == 0;
        boolean isOfPorts = protocol == Translation.TCP || protocol == Translation.UDP;
        boolean hasPorts = isOfPorts && isFirst && payloadLength >= 4;
        int port = hasPorts ? NetworkOrder.u16(memory, payload + portAt) : 0;
        long found = find(current, address, protocol, port);
        if (isOfPorts && ip.isFragment() && current.hasParts(isDestination, address)) {
            found = ofFragment(memory, header, hasPorts, found, burst.nowNs());
            if (found == NatFragments.UNKNOWN) {
                burst.drop(i, FRAGMENT);
                return;
            }
        }
        if (found < 0) {
            return;
        }
        boolean isUdp = protocol == Translation.UDP;
        int newPort = (int) (found & 0xffff);
        long checksum = isFirst ? checksum(memory, protocol, payload, payloadLength) : -1;
        put32(memory, header + addressAt, (int) (found >>> 16), header + 10, checksum, isUdp);
        if (hasPorts && newPort != 0) {
            put16(memory, payload + portAt, newPort, checksum, isUdp);
        }
        burst.changed(i);
    }

    private long find(NatTable current, int address, int protocol, int port) {
        return isDestination ? current.inside(address, protocol, port) : current.outside(address, protocol, port);
    }

    /** The first fragment has the ports; later ones are translated as the first. */
    private long ofFragment(MemorySegment memory, long header, boolean hasPorts, long found, long nowNs) {
        long addresses = NetworkOrder.bits64(memory, header + SOURCE_AT);
        int identification = ip.identification() << 8 | ip.protocol();
        if (hasPorts) {
            fragments.note(addresses, identification, found, nowNs);
            return found;
        }
        return ip.fragmentOffset() == 0 ? NatFragments.UNKNOWN : fragments.find(addresses, identification, nowNs);
    }

    /** The address of the TCP or UDP checksum; -1 if there is none, or it is not in the packet. */
    private static long checksum(MemorySegment memory, int protocol, long payload, int length) {
        int at = protocol == Translation.TCP ? 16 : protocol == Translation.UDP ? 6 : -1;
        if (at < 0 || length < at + 2) {
            return -1;
        }
        return protocol == Translation.UDP && NetworkOrder.u16(memory, payload + at) == 0 ? -1 : payload + at;
    }

    /**
     * Translates an ICMP error. It quotes a packet that went in the other direction, whose addresses and ports identify
     * the translation, even one of a single port. The sender need not be the inside host: an error of another inside
     * router, which has no outside address, is sent from that of the host (RFC 5508, REQ-4 and REQ-5). This router uses
     * its own address.
     */
    private void translateError(NatTable current, Burst burst, int i, long header, int address, long icmp, int length) {
        MemorySegment memory = burst.memory();
        long whole = find(current, address, ICMP, 0);
        long quote = translateQuoted(memory, icmp, length, address, current);
        boolean isByHost = quote >= 0 && (isDestination || burst.port(i) >= 0);
        if (whole >= 0 || isByHost) {
            int newAddress = (int) ((whole >= 0 ? whole : quote) >>> 16);
            int at = isDestination ? DESTINATION_AT : SOURCE_AT;
            put32(memory, header + at, newAddress, header + 10, -1, false);
        }
        if (whole >= 0 || quote >= 0) {
            burst.changed(i);
        }
    }

    /**
     * Translates the quoted packet: its source as the destination of the error, and vice versa. The ICMP checksum
     * covers the quoted headers with their checksums.
     *
     * @return the result of {@link NatTable} for the quoted packet; -1 if it is not translated
     */
    private long translateQuoted(MemorySegment memory, long icmp, int length, int address, NatTable current) {
        long header = icmp + ICMP_HEADER;
        if (quoted.wrap(memory, header, length - ICMP_HEADER) != WrapStatus.OK) {
            return -1;
        }
        int addressAt = isDestination ? SOURCE_AT : DESTINATION_AT;
        int portAt = isDestination ? 0 : 2;
        long payload = quoted.payloadOffset();
        int payloadLength = quoted.payloadLength();
        int protocol = quoted.protocol();
        boolean isFirst = quoted.fragmentOffset() == 0;
        boolean hasPorts =
                isFirst && (protocol == Translation.TCP || protocol == Translation.UDP) && payloadLength >= 4;
        int was = NetworkOrder.bits32(memory, header + addressAt);
        int port = hasPorts ? NetworkOrder.u16(memory, payload + portAt) : 0;
        long found = find(current, was, protocol, port);
        if (found < 0 || isDestination && was != address) {
            return -1; // the error is not about a packet of its receiver
        }
        int before = InternetChecksum.sum(memory, header, length - ICMP_HEADER, 0);
        boolean isUdp = protocol == Translation.UDP;
        long checksum = isFirst ? checksum(memory, protocol, payload, payloadLength) : -1;
        put32(memory, header + addressAt, (int) (found >>> 16), header + 10, checksum, isUdp);
        if (hasPorts && (found & 0xffff) != 0) {
            put16(memory, payload + portAt, (int) (found & 0xffff), checksum, isUdp);
        }
        int after = InternetChecksum.sum(memory, header, length - ICMP_HEADER, 0);
        long sum = icmp + 2;
        NetworkOrder.putU16(memory, sum, InternetChecksum.update(NetworkOrder.u16(memory, sum), before, after));
        return found;
    }

    private static boolean isError(int type) {
        return type == 3 || type == 4 || type == 5 || type == 11 || type == 12;
    }

    /**
     * Writes an address and updates the checksum of the IP header and, unless its address is -1, that of the payload.
     */
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

    /** Updates a checksum. In UDP, 0 would mean that there is none (RFC 768). */
    private static void update(MemorySegment memory, long at, int before, int after, boolean isUdp) {
        int checksum = InternetChecksum.update(NetworkOrder.u16(memory, at), before, after);
        NetworkOrder.putU16(memory, at, checksum == 0 && isUdp ? 0xffff : checksum);
    }
}
