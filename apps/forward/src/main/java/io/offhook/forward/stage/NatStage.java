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
 * Static network address translation of IPv4 (RFC 3022) by a {@link NatTable}: the destination of what comes from outside,
 * before it is routed, or the source of what goes outside, afterwards. Checksums of IP, UDP, TCP and ICMP follow by difference
 * (RFC 1624); in an ICMP error the packet that it quotes is translated the other way, too (RFC 5508, 4). Fragments without
 * ports become what their first one became; those that come before it are dropped (RFC 4787, REQ-14). The table can be
 * exchanged while it runs.
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
                // what goes inside, too, as where a bridge floods, stays as it is there
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

    /** The first fragment has the ports; those behind it become what it became. */
    private long ofFragment(MemorySegment memory, long header, boolean hasPorts, long found, long nowNs) {
        long addresses = NetworkOrder.bits64(memory, header + SOURCE_AT);
        int identification = ip.identification() << 8 | ip.protocol();
        if (hasPorts) {
            fragments.note(addresses, identification, found, nowNs);
            return found;
        }
        return ip.fragmentOffset() == 0 ? NatFragments.UNKNOWN : fragments.find(addresses, identification, nowNs);
    }

    /** Where the checksum of TCP or UDP is; -1 where there is none, or it is not there. */
    private static long checksum(MemorySegment memory, int protocol, long payload, int length) {
        int at = protocol == Translation.TCP ? 16 : protocol == Translation.UDP ? 6 : -1;
        if (at < 0 || length < at + 2) {
            return -1;
        }
        return protocol == Translation.UDP && NetworkOrder.u16(memory, payload + at) == 0 ? -1 : payload + at;
    }

    /**
     * An ICMP error quotes a packet that went the other way, with the addresses and ports of this side: by these it is known
     * whom it is about, also where only a port of theirs is translated. It need not come from the host inside: a router
     * before that one, which has no name outside, speaks by the host's (RFC 5508, REQ-4 and REQ-5). This router speaks by an
     * address of its own.
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
     * What it quotes as its source (of a packet that had come out) is translated as the error's destination is, and the other
     * way round. The ICMP checksum covers the quoted headers, their checksums too.
     *
     * @return what {@link NatTable} says of the quoted packet; -1 where nothing was to be translated
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
            return -1; // it is told of another's packet
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
