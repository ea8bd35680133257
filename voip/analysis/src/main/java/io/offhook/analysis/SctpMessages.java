package io.offhook.analysis;

import io.offhook.calls.event.PacketContext;
import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.transport.SctpChunks;
import io.offhook.packet.transport.SctpView;
import io.offhook.sip.SipTransport;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * SIP over SCTP (RFC 4168): a message is a user message of SCTP, in one DATA chunk or in several with consecutive
 * transmission sequence numbers (RFC 9260, 6.9). A message is complete with the last of its chunks, whatever their
 * order; a chunk that is sent again counts once. Single-threaded.
 */
final class SctpMessages {
    /** Directions of associations that are remembered; the one that was silent longest gives way. */
    static final int MOST_DIRECTIONS = 4096;

    /** Chunks of incomplete messages of a direction; the first that came give way. */
    static final int MOST_PIECES = 256;

    /** Bytes of chunks of incomplete messages, of all associations. */
    static final long MOST_BYTES = 8 << 20;

    /** Numbers of the last chunks, to leave out those that are sent again. */
    private static final int SEEN = 1024;

    private final SctpChunks chunks = new SctpChunks();
    private final CarriedPayload payload = new CarriedPayload();
    private final RoundMemory memory;
    private final Map<Key, Direction> directions = new LinkedHashMap<>(16, 0.75f, true);
    private final PlacedCount dropped = new PlacedCount();
    private final PlacedCount unknown = new PlacedCount();
    private long bytes;

    /** One direction of an association: a new one on the same ports has another tag. */
    private record Key(Endpoint source, Endpoint destination, long tag) {
        // written out: a start must not make the classes by which records compare (docs/decisions/0007)
        @Override
        public int hashCode() {
            return (31 * source.hashCode() + destination.hashCode()) * 31 + Long.hashCode(tag);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key
                    && tag == key.tag
                    && source.equals(key.source)
                    && destination.equals(key.destination);
        }
    }

    /** A part of a message. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Piece(byte[] octets, boolean begins, boolean ends) {}

    private static final class Direction {
        final Map<Integer, Piece> pieces = new LinkedHashMap<>();
        final Set<Integer> seen = new LinkedHashSet<>();
    }

    /** @param memory receives messages of several chunks */
    SctpMessages(RoundMemory memory) {
        this.memory = memory;
    }

    /** Whether a packet, which begins with the common header, has a chunk of data that may be SIP. */
    static boolean mayCarrySip(SctpChunks chunks, MemorySegment segment, long offset, int length) {
        wrap(chunks, segment, offset, length);
        while (chunks.next()) {
            if (mayBeSip(chunks) && !beginsOtherwise(chunks, segment)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a message begins that is no SIP: methods, and SIP/2.0, have two capital letters. */
    private static boolean beginsOtherwise(SctpChunks chunks, MemorySegment segment) {
        return chunks.isBeginning()
                && chunks.dataLength() > 1
                && !(isCapital(NetworkOrder.u8(segment, chunks.dataOffset()))
                        && isCapital(NetworkOrder.u8(segment, chunks.dataOffset() + 1)));
    }

    private static boolean isCapital(int octet) {
        return octet >= 'A' && octet <= 'Z';
    }

    /** SIP has no payload protocol identifier of its own, and sends 0 (RFC 4168, 5). */
    private static boolean mayBeSip(SctpChunks chunks) {
        return chunks.isData()
                && chunks.type() == SctpChunks.DATA
                && chunks.dataLength() > 0
                && chunks.payloadProtocol() == 0;
    }

    /** Puts the iterator before the first chunk of a packet. */
    private static void wrap(SctpChunks chunks, MemorySegment segment, long offset, int length) {
        chunks.wrap(segment, offset + SctpView.LENGTH, Math.max(0, length - SctpView.LENGTH));
    }

    private static long tag(MemorySegment segment, long offset) {
        return NetworkOrder.u32(segment, offset + SctpView.VERIFICATION_TAG);
    }

    /** Processes the chunks of a packet: its bytes begin with the common header. */
    void packet(CarriedStage.Packet packet, BatchEvents out) {
        PacketContext context = packet.context();
        wrap(chunks, packet.segment(), packet.offset(), packet.length());
        long tag = tag(packet.segment(), packet.offset());
        Direction direction = direction(new Key(context.source(), context.destination(), tag), context);
        while (chunks.next()) {
            if (mayBeSip(chunks)) {
                chunk(direction, packet, out);
            }
        }
    }

    private void chunk(Direction direction, CarriedStage.Packet packet, BatchEvents out) {
        int number = (int) chunks.transmissionSequenceNumber();
        if (!direction.seen.add(number)) {
            return;
        }
        if (direction.seen.size() > SEEN) {
            Iterator<Integer> first = direction.seen.iterator();
            first.next();
            first.remove();
        }
        if (chunks.isBeginning() && chunks.isEnding()) {
            sip(packet.segment(), chunks.dataOffset(), chunks.dataLength(), packet.context(), out);
            return;
        }
        byte[] octets = new byte[chunks.dataLength()];
        MemorySegment.copy(packet.segment(), ValueLayout.JAVA_BYTE, chunks.dataOffset(), octets, 0, octets.length);
        direction.pieces.put(number, new Piece(octets, chunks.isBeginning(), chunks.isEnding()));
        bytes += octets.length;
        byte[] whole = assemble(direction, number);
        if (whole != null) {
            memory.copy(whole, 0, whole.length);
            sip(memory.segment(memory.chunk()), memory.offset(), whole.length, packet.context(), out);
        }
        limit(direction, packet.context());
    }

    /** Takes out the message that a chunk belongs to, if all of it is there. */
    private byte @Nullable [] assemble(Direction direction, int number) {
        int first = number;
        Piece piece = direction.pieces.get(first);
        while (piece != null && !piece.begins()) {
            piece = direction.pieces.get(--first);
        }
        int last = number;
        Piece end = direction.pieces.get(last);
        while (end != null && !end.ends()) {
            end = direction.pieces.get(++last);
        }
        if (piece == null || end == null) {
            return null;
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        for (int at = first; at != last + 1; at++) {
            Piece taken = direction.pieces.remove(at);
            if (taken != null) {
                whole.writeBytes(taken.octets());
                bytes -= taken.octets().length;
            }
        }
        return whole.toByteArray();
    }

    /** Drops chunks beyond the limits: of this direction first, then of the one that was silent longest. */
    private void limit(Direction direction, PacketContext context) {
        while (direction.pieces.size() > MOST_PIECES) {
            drop(direction, context);
        }
        Iterator<Direction> eldest = directions.values().iterator();
        while (bytes > MOST_BYTES && eldest.hasNext()) {
            Direction any = eldest.next();
            while (bytes > MOST_BYTES && !any.pieces.isEmpty()) {
                drop(any, context);
            }
        }
    }

    private void drop(Direction direction, PacketContext context) {
        Iterator<Piece> first = direction.pieces.values().iterator();
        bytes -= first.next().octets().length;
        first.remove();
        dropped.add(context.frameNumber(), context.timestampNs());
    }

    private Direction direction(Key key, PacketContext context) {
        Direction known = directions.get(key);
        if (known == null) {
            if (directions.size() == MOST_DIRECTIONS) {
                Iterator<Direction> eldest = directions.values().iterator();
                Direction gone = eldest.next();
                while (!gone.pieces.isEmpty()) {
                    drop(gone, context);
                }
                eldest.remove();
            }
            known = new Direction();
            directions.put(key, known);
        }
        return known;
    }

    private void sip(MemorySegment segment, long offset, int length, PacketContext context, BatchEvents out) {
        if (!payload.addSip(segment, offset, length, SipTransport.SCTP, context, out)) {
            unknown.add(context.frameNumber(), context.timestampNs());
        }
    }

    /** Chunks of messages that were not complete when others needed the room. */
    PlacedCount dropped() {
        return dropped;
    }

    /** Messages of no registered protocol that are no SIP. */
    PlacedCount unknown() {
        return unknown;
    }
}
