package io.offhook.packet.write;

import io.offhook.packet.FieldRange;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.checksum.Crc32c;
import io.offhook.packet.checksum.InternetChecksum;
import io.offhook.packet.checksum.PseudoHeader;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.link.MplsView;
import io.offhook.packet.link.PppoeView;
import io.offhook.packet.network.IcmpView;
import io.offhook.packet.network.Icmpv6View;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6View;
import io.offhook.packet.transport.SctpChunks;
import io.offhook.packet.transport.SctpView;
import io.offhook.packet.transport.TcpView;
import io.offhook.packet.transport.UdpView;
import io.offhook.packet.tunnel.GreView;
import io.offhook.packet.tunnel.GtpUView;
import java.lang.foreign.MemorySegment;

/** The packet being written: its memory, its layers so far and, at the end, their lengths and checksums. */
final class WrittenPacket {
    private static final int NONE = 0;
    private static final int LENGTH_SET = 1;
    private static final int CHECKSUM_SET = 2;

    MemorySegment segment = MemorySegment.NULL;
    private long base;
    private int capacity;
    private int end;
    private int count;
    private boolean isOpen;
    private final WrittenLayer[] layers = new WrittenLayer[PacketWriter.MAX_LAYERS];
    private final int[] starts = new int[PacketWriter.MAX_LAYERS];
    private final int[] given = new int[PacketWriter.MAX_LAYERS];

    void begin(MemorySegment segment, long offset, int capacity) {
        this.segment = segment;
        base = offset;
        this.capacity = capacity;
        end = 0;
        count = 0;
        isOpen = true;
    }

    /** Reserves {@code length} bytes at the end; returns their offset in the segment. */
    long room(String what, int length) {
        if (!isOpen) {
            throw new IllegalStateException(what + ": begin a packet first");
        }
        if (length > capacity - end) {
            throw new IllegalStateException(
                    what + " of " + length + " bytes does not fit: " + end + " of " + capacity + " are in use");
        }
        end += length;
        return base + end - length;
    }

    /** Adds a layer, and lets the layer below name it; returns the offset of its header in the segment. */
    long push(WrittenLayer layer, int headerLength) {
        if (count > 0) {
            goOn(layer);
        }
        if (count == PacketWriter.MAX_LAYERS) {
            throw new IllegalStateException(layer.label() + ": the packet has " + count + " layers, the maximum");
        }
        long header = room(layer.label(), headerLength);
        layers[count] = layer;
        starts[count] = (int) (header - base);
        given[count] = NONE;
        count++;
        return header;
    }

    private void goOn(WrittenLayer layer) {
        WrittenLayer below = layers[count - 1];
        long header = base + starts[count - 1];
        if (below == WrittenLayer.SCTP_CHUNK) {
            closeChunk();
        } else if (below == WrittenLayer.MPLS && layer == WrittenLayer.MPLS) {
            long bottom = header + MplsView.CLASS_BOTTOM;
            NetworkOrder.putU8(segment, bottom, NetworkOrder.u8(segment, bottom) & 0xfe);
        }
        if (!below.name(layer, segment, header)) {
            throw new IllegalStateException(below.label() + " has no number for " + layer.label() + " above it");
        }
    }

    /** The offset in the segment of the header of the last layer, which must be of that kind. */
    long last(WrittenLayer layer, String what) {
        if (!isOpen || count == 0 || layers[count - 1] != layer) {
            throw new IllegalStateException(what + " must follow " + layer.label());
        }
        return base + starts[count - 1];
    }

    WrittenLayer lastLayer() {
        if (!isOpen || count == 0) {
            throw new IllegalStateException("there is no layer yet");
        }
        return layers[count - 1];
    }

    long lastHeader() {
        lastLayer();
        return base + starts[count - 1];
    }

    int length() {
        return end;
    }

    /** The layers so far, the outermost first. */
    String labels() {
        StringBuilder labels = new StringBuilder();
        for (int i = 0; i < count; i++) {
            labels.append(i == 0 ? "" : " ").append(layers[i].label());
        }
        return labels.toString();
    }

    int lengthFrom(long header) {
        return (int) (base + end - header);
    }

    /** An SCTP chunk's length does not count its padding (RFC 9260, 3.2). */
    private void closeChunk() {
        int i = count - 1;
        setLength(i);
        given[i] |= LENGTH_SET;
        while ((end - starts[i] & 3) != 0) {
            NetworkOrder.putU8(segment, room("padding", 1), 0);
        }
    }

    /** Sets the length of the last layer, whatever its actual length will be. */
    void giveLength(int value) {
        WrittenLayer layer = lastLayer();
        int at = lengthField(layer);
        if (at < 0) {
            throw new IllegalStateException(layer.label() + " has no length field");
        }
        FieldRange.check(layer.lengthLabel(), value, 0xffff);
        NetworkOrder.putU16(segment, lastHeader() + at, value);
        given[count - 1] |= LENGTH_SET;
    }

    /** Sets the checksum of the last layer, right or wrong. */
    void giveChecksum(long value) {
        WrittenLayer layer = lastLayer();
        int at = checksumField(count - 1);
        if (at < 0) {
            throw new IllegalStateException(layer.label() + " has no checksum field");
        }
        boolean isWide = layer == WrittenLayer.SCTP;
        FieldRange.check(layer.checksumLabel(), value, isWide ? 0xffff_ffffL : 0xffff);
        if (isWide) {
            NetworkOrder.putU32(segment, lastHeader() + at, value);
        } else {
            NetworkOrder.putU16(segment, lastHeader() + at, (int) value);
        }
        given[count - 1] |= CHECKSUM_SET;
    }

    /**
     * Fills in lengths and checksums, innermost first, since outer checksums cover inner ones; returns the length of
     * the packet.
     */
    int finish(int minimumLength) {
        if (!isOpen) {
            throw new IllegalStateException("finish: begin a packet first");
        }
        if (count > 0 && layers[count - 1] == WrittenLayer.SCTP_CHUNK) {
            closeChunk();
        }
        for (int i = count - 1; i >= 0; i--) {
            if ((given[i] & LENGTH_SET) == 0) {
                setLength(i);
            }
            if ((given[i] & CHECKSUM_SET) == 0) {
                setChecksum(i);
            }
        }
        while (end < minimumLength) {
            NetworkOrder.putU8(segment, room("padding", 1), 0);
        }
        isOpen = false;
        return end;
    }

    private static int lengthField(WrittenLayer layer) {
        return switch (layer) {
            case IEEE_802_3 -> EthernetView.TYPE;
            case PPPOE_SESSION, PPPOE_DISCOVERY -> PppoeView.PAYLOAD_LENGTH;
            case IPV6 -> Ipv6View.PAYLOAD_LENGTH;
            case UDP -> UdpView.DATAGRAM_LENGTH;
            case IPV4 -> Ipv4View.TOTAL_LENGTH;
            case GTP_U -> GtpUView.MESSAGE_LENGTH;
            case SCTP_CHUNK -> SctpChunks.CHUNK_LENGTH;
            default -> -1;
        };
    }

    private void setLength(int i) {
        WrittenLayer layer = layers[i];
        int at = lengthField(layer);
        if (at < 0) {
            return;
        }
        int uncounted = switch (layer) {
            case IEEE_802_3 -> EthernetView.LENGTH;
            case PPPOE_SESSION, PPPOE_DISCOVERY -> PppoeView.LENGTH;
            case IPV6 -> Ipv6View.LENGTH;
            case GTP_U -> GtpUView.FIXED_LENGTH;
            default -> 0;
        };
        int length = end - starts[i] - uncounted;
        int most = layer == WrittenLayer.IEEE_802_3 ? EthernetView.MAX_LENGTH_FIELD : 0xffff;
        FieldRange.check(layer.lengthLabel(), length, most);
        NetworkOrder.putU16(segment, base + starts[i] + at, length);
    }

    private int checksumField(int i) {
        return switch (layers[i]) {
            case IPV4 -> Ipv4View.CHECKSUM;
            case TCP -> TcpView.CHECKSUM;
            case UDP -> UdpView.CHECKSUM;
            case ICMP -> IcmpView.CHECKSUM;
            case ICMPV6 -> Icmpv6View.CHECKSUM;
            case SCTP -> SctpView.CHECKSUM;
            case GRE -> hasGreChecksum(base + starts[i]) ? GreView.MIN_LENGTH : -1;
            default -> -1;
        };
    }

    private boolean hasGreChecksum(long header) {
        return (NetworkOrder.u16(segment, header + GreView.FLAGS) & GreView.CHECKSUM) != 0;
    }

    private void setChecksum(int i) {
        int at = checksumField(i);
        if (at < 0) {
            return;
        }
        WrittenLayer layer = layers[i];
        long header = base + starts[i];
        int length = end - starts[i];
        if (layer == WrittenLayer.SCTP) {
            NetworkOrder.putU32(segment, header + at, Crc32c.sctp(segment, header, length));
            return;
        }
        NetworkOrder.putU16(segment, header + at, 0);
        if (layer == WrittenLayer.IPV4) {
            NetworkOrder.putU16(
                    segment, header + at, InternetChecksum.ofIpv4Header(segment, header, ipv4Length(header)));
            return;
        }
        boolean hasPseudoHeader = layer != WrittenLayer.ICMP && layer != WrittenLayer.GRE;
        int network = hasPseudoHeader ? network(i) : i;
        if (network < 0) {
            return;
        }
        int before = hasPseudoHeader ? pseudoHeader(network, i) : 0;
        int checksum = ~InternetChecksum.sum(segment, header, length, before) & 0xffff;
        // 0 means no checksum (RFC 768)
        NetworkOrder.putU16(segment, header + at, layer == WrittenLayer.UDP && checksum == 0 ? 0xffff : checksum);
    }

    private int ipv4Length(long header) {
        return (NetworkOrder.u8(segment, header + Ipv4View.VERSION_WORDS) & 15) << 2;
    }

    /** The IP layer that carries layer {@code i}, or -1. */
    private int network(int i) {
        int below = i - 1;
        while (below >= 0 && isExtension(layers[below])) {
            below--;
        }
        return below >= 0 && layers[below].isIp() ? below : -1;
    }

    private static boolean isExtension(WrittenLayer layer) {
        return switch (layer) {
            case HOP_BY_HOP, DESTINATION_OPTIONS, ROUTING, IPV6_FRAGMENT, AUTHENTICATION -> true;
            default -> false;
        };
    }

    private int pseudoHeader(int network, int i) {
        long header = base + starts[network];
        int protocol = layers[i].ipProtocol();
        int length = end - starts[i];
        if (layers[network] == WrittenLayer.IPV4) {
            long destination = PseudoHeader.ipv4Destination(segment, header, ipv4Length(header));
            return PseudoHeader.ofIpv4(segment, header, destination, protocol, length);
        }
        long source = PseudoHeader.source(header);
        long destination = PseudoHeader.destination(header);
        for (int between = network + 1; between < i; between++) {
            long extension = base + starts[between];
            int extensionLength = starts[between + 1] - starts[between];
            if (layers[between] == WrittenLayer.DESTINATION_OPTIONS) {
                long home = PseudoHeader.homeAddress(segment, extension, extensionLength);
                source = home < 0 ? source : home;
            } else if (layers[between] == WrittenLayer.ROUTING && PseudoHeader.hasSegmentsLeft(segment, extension)) {
                long last = PseudoHeader.finalDestination(segment, extension, extensionLength);
                destination = last < 0 ? destination : last;
            }
        }
        return PseudoHeader.ofIpv6(segment, source, destination, protocol, length);
    }
}
