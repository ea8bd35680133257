package io.offhook.packet.edit;

import io.offhook.packet.Endpoint;
import io.offhook.packet.FieldRange;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.checksum.ChecksumField;
import io.offhook.packet.checksum.Crc32c;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.checksum.PseudoHeader;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.VlanView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.transport.UdpView;
import io.offhook.packet.walk.PacketWalker;
import java.lang.foreign.MemorySegment;

/**
 * Changes fields of a packet in place, as a NAT or a router does, and updates every checksum that covers them: that of
 * the layer and those of the layers around it, tunnels included.
 *
 * <pre>{@code
 * walker.walk(segment, offset, length, length, LinkType.ETHERNET);
 * editor.edit(walker);
 * editor.source(new Endpoint(0, 0xffff_cb007101L, 40000)); // IPv4, TCP or UDP, and what they lie in
 * }</pre>
 *
 * <p>Checksums are updated incrementally (RFC 1624), so that a correct one stays correct and a wrong one stays wrong by
 * the same amount; bytes that were not captured, or that came in other fragments, are not needed. An absent one (UDP)
 * stays absent. One that was left to a network card ({@link InternetChecksum.Verdict#PARTIAL}) remains partial: it
 * follows the addresses, and the card can complete it. {@link #recompute()} computes them anew instead. An SCTP
 * checksum in a fragment cannot be updated and is left unchanged. Authentication headers are ignored.
 *
 * <p>A method returns false, and changes nothing, if the packet has no such field. Reusable and single-threaded; it
 * allocates nothing. It works on the walker's packet, which must remain as walked except for these edits, in a writable
 * segment.
 */
public final class PacketEditor {
    private static final int MAX = PacketWalker.MAX_LAYERS;
    private static final long V4_PREFIX = 0xffffL;

    private PacketWalker walker = new PacketWalker();
    private MemorySegment segment = MemorySegment.NULL;

    // the layers that have a checksum, outermost first
    private int count;
    private final int[] layers = new int[MAX];
    private final long[] starts = new long[MAX];
    private final long[] ends = new long[MAX];
    private final long[] fields = new long[MAX];
    private final long[] sources = new long[MAX];
    private final long[] destinations = new long[MAX];
    private final int[] addressLengths = new int[MAX];
    private final boolean[] arePartial = new boolean[MAX];

    /** Creates an editor; call {@link #edit} first. */
    public PacketEditor() {}

    /** Starts to edit the packet that the walker walked last. */
    public void edit(PacketWalker walker) {
        this.walker = walker;
        segment = walker.segment();
        count = 0;
        for (int i = 0; i < walker.layerCount(); i++) {
            int at = ChecksumField.at(walker, i);
            if (at >= 0) {
                add(i, walker.layerOffset(i), at);
            }
        }
    }

    private void add(int i, long header, int at) {
        LayerType type = walker.layerType(i);
        boolean isAbsent = ChecksumField.isZeroNone(type) && NetworkOrder.u16(segment, header + at) == 0;
        if (isAbsent || type == LayerType.SCTP && !isOutsideOfFragments(i)) {
            return;
        }
        int network = ChecksumField.network(walker, i);
        layers[count] = i;
        starts[count] = header;
        ends[count] = header + Math.min(ChecksumField.coverage(walker, i), walker.layerLength(i));
        fields[count] = header + at;
        arePartial[count] = ChecksumField.isPartial(walker, i);
        boolean isIpv4 = network >= 0 && walker.layerType(network) == LayerType.IPV4;
        addressLengths[count] = network < 0 ? 0 : isIpv4 ? 4 : 16;
        sources[count] = network < 0 ? -1 : PseudoHeader.source(walker, network, i);
        destinations[count] = network < 0 ? -1 : PseudoHeader.destination(walker, network, i);
        count++;
    }

    private boolean isOutsideOfFragments(int i) {
        int fragment = walker.outermostFragment();
        return fragment < 0 || fragment > i;
    }

    /**
     * Sets the source address and port of the innermost IP packet; false if its version differs or it has no ports.
     */
    public boolean source(Endpoint endpoint) {
        return hasPorts() && sourceAddress(endpoint.high(), endpoint.low()) && sourcePort(endpoint.port());
    }

    /** Sets the destination address and port, likewise. */
    public boolean destination(Endpoint endpoint) {
        return hasPorts() && destinationAddress(endpoint.high(), endpoint.low()) && destinationPort(endpoint.port());
    }

    /** Sets the source address of the innermost IP packet; IPv4 as IPv4-mapped IPv6, see {@link Endpoint}. */
    public boolean sourceAddress(long high, long low) {
        return address(high, low, Ipv4View.SOURCE, Ipv6View.SOURCE);
    }

    /** Sets the destination address of the innermost IP packet, as stated in its IP header. */
    public boolean destinationAddress(long high, long low) {
        return address(high, low, Ipv4View.DESTINATION, Ipv6View.DESTINATION);
    }

    private boolean address(long high, long low, int inIpv4, int inIpv6) {
        int network = walker.network();
        if (network < 0) {
            return false;
        }
        long header = walker.layerOffset(network);
        if (walker.layerType(network) == LayerType.IPV6) {
            change64(header + inIpv6, high);
            change64(header + inIpv6 + 8, low);
            return true;
        }
        if (high != 0 || low >>> 32 != V4_PREFIX) {
            return false;
        }
        change32(header + inIpv4, (int) low);
        return true;
    }

    /**
     * Sets the source port; false if there is none.
     *
     * @param port 0 to 65535
     */
    public boolean sourcePort(int port) {
        return port("sourcePort", port, UdpView.SOURCE_PORT);
    }

    /**
     * Sets the destination port; false if there is none.
     *
     * @param port 0 to 65535
     */
    public boolean destinationPort(int port) {
        return port("destinationPort", port, UdpView.DESTINATION_PORT);
    }

    private boolean port(String field, int port, int at) {
        FieldRange.check(field, port, 0xffff);
        if (!hasPorts()) {
            return false;
        }
        change16(walker.layerOffset(walker.transport()) + at, port, count);
        return true;
    }

    private boolean hasPorts() {
        if (walker.transport() < 0) {
            return false;
        }
        return switch (walker.layerType(walker.transport())) {
            case TCP, UDP, UDP_LITE, DCCP, SCTP -> walker.layerLength(walker.transport()) >= 4;
            default -> false;
        };
    }

    /** Sets TTL or hop limit of the innermost IP packet, 0 to 255. */
    public boolean ttl(int ttl) {
        FieldRange.check("ttl", ttl, 0xff);
        int network = walker.network();
        if (network < 0) {
            return false;
        }
        boolean isIpv4 = walker.layerType(network) == LayerType.IPV4;
        u8(walker.layerOffset(network) + (isIpv4 ? Ipv4View.TTL : Ipv6View.HOP_LIMIT), ttl);
        return true;
    }

    /** Sets the differentiated services code point of the innermost IP packet, 0 to 63. */
    public boolean dscp(int dscp) {
        FieldRange.check("dscp", dscp, 63);
        int network = walker.network();
        if (network < 0) {
            return false;
        }
        long header = walker.layerOffset(network);
        boolean isIpv4 = walker.layerType(network) == LayerType.IPV4;
        int word = NetworkOrder.u16(segment, header);
        change16(header, isIpv4 ? word & 0xff03 | dscp << 2 : word & 0xf03f | dscp << 6, count);
        return true;
    }

    /** Sets the VLAN of the outermost tag, 0 to 4095. */
    public boolean vlanId(int id) {
        FieldRange.check("id", id, 0xfff);
        for (int i = 0; i < walker.layerCount(); i++) {
            LayerType type = walker.layerType(i);
            if (type == LayerType.VLAN || type == LayerType.SERVICE_VLAN) {
                long tag = walker.layerOffset(i) + VlanView.TAG;
                change16(tag, NetworkOrder.u16(segment, tag) & 0xf000 | id, count);
                return true;
            }
        }
        return false;
    }

    /** Sets the addresses of the outermost Ethernet header, 48 bits each. */
    public boolean ethernet(long source, long destination) {
        FieldRange.check("source", source, 0xffff_ffff_ffffL);
        FieldRange.check("destination", destination, 0xffff_ffff_ffffL);
        int i = walker.indexOf(LayerType.ETHERNET);
        if (i < 0) {
            return false;
        }
        long header = walker.layerOffset(i);
        change48(header + EthernetView.DESTINATION, destination);
        change48(header + EthernetView.SOURCE, source);
        return true;
    }

    /**
     * Sets any byte of the frame; checksums that cover it follow, lengths and layers do not.
     *
     * @param offset in the segment
     * @throws IndexOutOfBoundsException if it is not in the segment
     */
    public void u8(long offset, int value) {
        FieldRange.check("value", value, 0xff);
        change8(offset, value, count);
    }

    /** Sets any 16 bits, likewise. */
    public void u16(long offset, int value) {
        FieldRange.check("value", value, 0xffff);
        change8(offset, value >>> 8, count);
        change8(offset + 1, value & 0xff, count);
    }

    /** Sets any 32 bits, likewise. */
    public void u32(long offset, long value) {
        FieldRange.check("value", value, 0xffff_ffffL);
        u16(offset, (int) (value >>> 16));
        u16(offset + 2, (int) value & 0xffff);
    }

    private void change64(long at, long value) {
        change32(at, (int) (value >>> 32));
        change32(at + 4, (int) value);
    }

    private void change48(long at, long value) {
        change16(at, (int) (value >>> 32), count);
        change32(at + 2, (int) value);
    }

    private void change32(long at, int value) {
        change16(at, value >>> 16, count);
        change16(at + 2, value & 0xffff, count);
    }

    /** Sets 16 bits that each checksum covers as a whole or not at all; updates the first {@code among} checksums. */
    private void change16(long at, int value, int among) {
        int before = NetworkOrder.u16(segment, at);
        if (before == value) {
            return;
        }
        NetworkOrder.putU16(segment, at, value);
        for (int i = among - 1; i >= 0; i--) {
            if (covers(i, at)) {
                follow(i, at, 2, before, value);
            }
        }
    }

    private void change8(long at, int value, int among) {
        int before = NetworkOrder.u8(segment, at);
        if (before == value) {
            return;
        }
        NetworkOrder.putU8(segment, at, value);
        for (int i = among - 1; i >= 0; i--) {
            if (covers(i, at)) {
                follow(i, at, 1, before, value);
            }
        }
    }

    private boolean covers(int i, long at) {
        if (at >= starts[i] && at < ends[i]) {
            return !arePartial[i] && (at < fields[i] || at >= fields[i] + (isSctp(i) ? 4 : 2)); // not itself
        }
        int length = addressLengths[i];
        return length != 0
                && (at >= sources[i] && at < sources[i] + length
                        || destinations[i] >= 0 && at >= destinations[i] && at < destinations[i] + length);
    }

    private boolean isSctp(int i) {
        return walker.layerType(layers[i]) == LayerType.SCTP;
    }

    /** Updates checksum {@code i} for a change of one or two bytes, and then the checksums around it. */
    private void follow(int i, long at, int bytes, int before, int after) {
        if (isSctp(i)) {
            followCrc(i, at, bytes, before ^ after);
            return;
        }
        int old = before;
        int now = after;
        // addresses are aligned to words in the pseudo header, as in the IP header
        boolean isOdd = (at - starts[i] & 1) != 0;
        if (bytes == 1 && !isOdd) {
            old <<= 8;
            now <<= 8;
        } else if (bytes == 2 && isOdd) {
            old = Integer.reverseBytes(old) >>> 16;
            now = Integer.reverseBytes(now) >>> 16;
        }
        int turned = arePartial[i] ? 0xffff : 0; // the sum itself instead of its complement
        int checksum = InternetChecksum.update(NetworkOrder.u16(segment, fields[i]) ^ turned, old, now) ^ turned;
        boolean isZeroNone = ChecksumField.isZeroNone(walker.layerType(layers[i]));
        change16(fields[i], isZeroNone && checksum == 0 ? 0xffff : checksum, i);
    }

    /** A CRC is linear: its change is the CRC of the difference, with zeros everywhere else. */
    private void followCrc(int i, long at, int bytes, int difference) {
        int crc = 0;
        for (int k = bytes - 1; k >= 0; k--) {
            crc = Crc32c.next(crc, difference >>> 8 * k & 0xff);
        }
        long length = Math.max(ends[i], walker.payloadOffset() + walker.payloadWireLength()) - at - bytes;
        int change = Integer.reverseBytes(Crc32c.zeros(crc, length));
        int field = NetworkOrder.bits32(segment, fields[i]) ^ change;
        change16(fields[i], field >>> 16, i);
        change16(fields[i] + 2, field & 0xffff, i);
    }

    /**
     * Recomputes every checksum, innermost first: after edits by other means, or to complete those left to a network
     * card. Absent checksums stay absent; those over incomplete bytes are left unchanged.
     *
     * @return the number of checksums left unchanged
     */
    public int recompute() {
        int left = 0;
        for (int i = count - 1; i >= 0; i--) {
            left += recompute(i) ? 0 : 1;
        }
        return left;
    }

    private boolean recompute(int i) {
        LayerType type = walker.layerType(layers[i]);
        long header = starts[i];
        int length = (int) (ends[i] - header);
        if (type == LayerType.IPV4) {
            int headerLength = (NetworkOrder.u8(segment, header + Ipv4View.VERSION_WORDS) & 15) << 2;
            if (length < headerLength) {
                return false;
            }
            NetworkOrder.putU16(segment, fields[i], InternetChecksum.ofIpv4Header(segment, header, headerLength));
            return true;
        }
        int pseudoHeader =
                ChecksumField.isWhole(walker, layers[i]) ? ChecksumField.pseudoHeader(walker, layers[i]) : -1;
        if (pseudoHeader < 0) {
            return false;
        }
        if (type == LayerType.SCTP) {
            NetworkOrder.putU32(segment, fields[i], Crc32c.sctp(segment, header, length));
            arePartial[i] = false;
            return true;
        }
        NetworkOrder.putU16(segment, fields[i], 0);
        int checksum = ~InternetChecksum.sum(segment, header, length, pseudoHeader) & 0xffff;
        boolean isZeroNone = ChecksumField.isZeroNone(type);
        NetworkOrder.putU16(segment, fields[i], isZeroNone && checksum == 0 ? 0xffff : checksum);
        arePartial[i] = false;
        return true;
    }
}
