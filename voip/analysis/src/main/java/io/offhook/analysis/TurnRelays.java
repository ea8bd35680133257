package io.offhook.analysis;

import io.offhook.calls.event.PacketContext;
import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.WrapStatus;
import io.offhook.packet.application.StunView;
import io.offhook.packet.application.TurnChannelView;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Unwraps media that clients send through their TURN server (RFC 8656): ChannelData, and Send and Data indications. SDP
 * announces the relayed address, so what a client sends counts as sent from that address to the peer, and what it gets as
 * sent from the peer to that address.
 *
 * <p>The relayed address is that of the Allocate response, the peer of a channel that of the ChannelBind request. If
 * these were not captured, the client stands for its relayed address, and the server for the peer. Single-threaded.
 */
final class TurnRelays {
    /** Clients that are remembered; the one that was silent longest gives way. */
    static final int MOST_CLIENTS = 1 << 16;

    /** Channels of a client; RFC 8656, 12 allows 4,096. */
    static final int MOST_CHANNELS = 256;

    private static final int ALLOCATE_SUCCESS = 0x0103;
    private static final int CHANNEL_BIND = 0x0009;
    private static final int SEND_INDICATION = 0x0016;
    private static final int DATA_INDICATION = 0x0017;

    private static final int CHANNEL_NUMBER = 0x000c;
    private static final int XOR_PEER_ADDRESS = 0x0012;
    private static final int DATA = 0x0013;
    private static final int XOR_RELAYED_ADDRESS = 0x0016;

    private final StunView stun = new StunView();
    private final TypeLengthValues attributes = new TypeLengthValues(TypeLengthValues.Form.STUN_ATTRIBUTES);
    private final CarriedPayload payload = new CarriedPayload();
    private final PlacedCount evicted = new PlacedCount();
    private final PlacedCount refusedChannels = new PlacedCount();
    private final Map<Path, Allocation> allocations = new LinkedHashMap<>(16, 0.75f, true);

    /** From a client to its server. */
    private record Path(Endpoint client, Endpoint server) {}

    /** What is known of the relay of a client. */
    private static final class Allocation {
        @Nullable
        Endpoint relayed;

        final Map<Integer, Endpoint> peers = new HashMap<>();
    }

    /** Whether a STUN message of that type is of use here: it carries data, or says where data goes. */
    static boolean isOfUse(int type) {
        return type == ALLOCATE_SUCCESS || type == CHANNEL_BIND || isData(type);
    }

    /** Whether a STUN message of that type carries data. */
    static boolean isData(int type) {
        return type == SEND_INDICATION || type == DATA_INDICATION;
    }

    /** Processes a STUN message or ChannelData. */
    void packet(CarriedStage.Packet packet, BatchEvents out) {
        if (NetworkOrder.u8(packet.segment(), packet.offset()) >>> 6 == 1) {
            channel(packet, out);
        } else if (stun.wrap(packet.segment(), packet.offset(), packet.length()) == WrapStatus.OK) {
            message(packet, out);
        }
    }

    private void message(CarriedStage.Packet packet, BatchEvents out) {
        PacketContext context = packet.context();
        switch (stun.type()) {
            case ALLOCATE_SUCCESS -> {
                Endpoint relayed = address(XOR_RELAYED_ADDRESS);
                if (relayed != null) {
                    allocation(context.destination(), context.source(), context).relayed = relayed;
                }
            }
            case CHANNEL_BIND -> bind(context);
            case SEND_INDICATION -> {
                Endpoint peer = address(XOR_PEER_ADDRESS);
                Allocation known = allocations.get(new Path(context.source(), context.destination()));
                data(packet, relayed(known, context.source()), peer == null ? context.destination() : peer, out);
            }
            case DATA_INDICATION -> {
                Endpoint peer = address(XOR_PEER_ADDRESS);
                Allocation known = allocations.get(new Path(context.destination(), context.source()));
                data(packet, peer == null ? context.source() : peer, relayed(known, context.destination()), out);
            }
            default -> {}
        }
    }

    private void bind(PacketContext context) {
        Endpoint peer = address(XOR_PEER_ADDRESS);
        if (peer == null || !find(CHANNEL_NUMBER) || attributes.valueLength() < 2) {
            return;
        }
        int number = attributes.u16(0);
        Allocation of = allocation(context.source(), context.destination(), context);
        if (of.peers.size() >= MOST_CHANNELS && !of.peers.containsKey(number)) {
            refusedChannels.add(context.frameNumber(), context.timestampNs());
        } else {
            of.peers.put(number, peer);
        }
    }

    /** Adds the data of an indication. */
    private void data(CarriedStage.Packet packet, Endpoint source, Endpoint destination, BatchEvents out) {
        if (!find(DATA)) {
            return;
        }
        long offset = attributes.valueOffset();
        add(packet, offset, attributes.valueLength(), attributes.valueLength(), source, destination, out);
    }

    private void channel(CarriedStage.Packet packet, BatchEvents out) {
        MemorySegment segment = packet.segment();
        // what the snap length left of the data is enough for RTP
        int number = NetworkOrder.u16(segment, packet.offset());
        int wireLength = NetworkOrder.u16(segment, packet.offset() + 2);
        int length = Math.min(wireLength, packet.length() - TurnChannelView.LENGTH);
        PacketContext context = packet.context();
        Endpoint source = context.source();
        Endpoint destination = context.destination();
        Allocation sent = allocations.get(new Path(source, destination));
        if (sent != null) {
            Endpoint peer = sent.peers.getOrDefault(number, destination);
            source = relayed(sent, source);
            destination = peer;
        } else {
            Allocation got = allocations.get(new Path(destination, source));
            if (got != null) {
                source = got.peers.getOrDefault(number, source);
                destination = relayed(got, destination);
            }
        }
        add(packet, packet.offset() + TurnChannelView.LENGTH, length, wireLength, source, destination, out);
    }

    private void add(
            CarriedStage.Packet packet,
            long offset,
            int length,
            int wireLength,
            Endpoint source,
            Endpoint destination,
            BatchEvents out) {
        PacketContext context = packet.context();
        PacketContext carried = new PacketContext(context.timestampNs(), context.frameNumber(), source, destination);
        if (payload.add(packet.segment(), offset, length, wireLength, carried, out) == Payload.OTHER) {
            out.counters.udpUnknown.add(context.frameNumber(), context.timestampNs());
        }
    }

    private static Endpoint relayed(@Nullable Allocation known, Endpoint client) {
        Endpoint relayed = known == null ? null : known.relayed;
        return relayed == null ? client : relayed;
    }

    private Allocation allocation(Endpoint client, Endpoint server, PacketContext context) {
        Path path = new Path(client, server);
        Allocation known = allocations.get(path);
        if (known == null) {
            if (allocations.size() == MOST_CLIENTS) {
                Path eldest = allocations.keySet().iterator().next();
                allocations.remove(eldest);
                evicted.add(context.frameNumber(), context.timestampNs());
            }
            known = new Allocation();
            allocations.put(path, known);
        }
        return known;
    }

    /** Moves to the first attribute of that type. */
    private boolean find(int type) {
        stun.attributes(attributes);
        while (attributes.next()) {
            if (attributes.type() == type) {
                return true;
            }
        }
        return false;
    }

    /** An address that is combined with cookie and transaction id (RFC 8489, 14.2); null if there is none. */
    private @Nullable Endpoint address(int type) {
        if (!find(type) || attributes.valueLength() < 8) {
            return null;
        }
        int family = attributes.u8(1);
        int port = attributes.u16(2) ^ StunView.MAGIC_COOKIE >>> 16;
        if (family == 1) {
            return Endpoint.ofIpv4((int) attributes.u32(4) ^ StunView.MAGIC_COOKIE, port);
        }
        if (family != 2 || attributes.valueLength() < 20) {
            return null;
        }
        long id = stun.transactionIdOffset();
        long high = (long) StunView.MAGIC_COOKIE << 32 | NetworkOrder.u32(attributes.segment(), id);
        return new Endpoint(
                attributes.bits64(4) ^ high,
                attributes.bits64(12) ^ NetworkOrder.bits64(attributes.segment(), id + 4),
                port);
    }

    /** Clients that gave way to others. */
    PlacedCount evicted() {
        return evicted;
    }

    /** Channels beyond {@link #MOST_CHANNELS} of a client. */
    PlacedCount refusedChannels() {
        return refusedChannels;
    }
}
