package io.offhook.analysis;

import io.offhook.calls.event.PacketContext;
import io.offhook.flow.tcp.TcpStream;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.PlacedCount;
import io.offhook.packet.application.HepReader;
import io.offhook.packet.application.StunView;
import io.offhook.packet.application.TurnChannelView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Protocols over TCP that carry the packets of others: HEP version 3, and TURN (RFC 8656), in which STUN messages and
 * ChannelData follow each other. What is found has the time of the packet that completes it. Single-threaded.
 */
final class CarrierStreams implements StreamProtocol {
    /** Bytes of incomplete packets, of all streams of the shard. */
    private static final long MOST_HELD = 4L << 20;

    /** Enough to find the length of any of these packets. */
    private static final int HEAD = 8;

    private static final int HEP_LENGTH = 4;

    private final RoundMemory memory;
    private final BatchEvents found = new BatchEvents();
    private final HepPackets hep;
    private final TurnRelays relays = new TurnRelays();
    private final PlacedCount refused = new PlacedCount();
    private long heldBytes;

    /** @param memory receives the packets, until the end of the round */
    CarrierStreams(RoundMemory memory) {
        this.memory = memory;
        hep = new HepPackets(new HepDocuments(memory));
    }

    /** A HEP packet or a STUN message starts a stream; ChannelData in mid-stream is not told from other bytes. */
    @Override
    public Pickup pickup(MemorySegment segment, long offset, int length) {
        return length >= HEAD && (isHep(segment, offset) || isStun(segment, offset)) ? Pickup.NOW : Pickup.IGNORE;
    }

    private static boolean isHep(MemorySegment segment, long offset) {
        return NetworkOrder.u8(segment, offset) > 'A' && HepReader.isLikely(segment, offset, HEAD);
    }

    private static boolean isStun(MemorySegment segment, long offset) {
        return NetworkOrder.u8(segment, offset) < 4
                && NetworkOrder.bits32(segment, offset + 4) == StunView.MAGIC_COOKIE;
    }

    @Override
    public StreamReader begin(TcpStream stream, StreamOutput out) {
        return new Reader(stream);
    }

    /** What was found in this round. */
    BatchEvents found() {
        return found;
    }

    TurnRelays relays() {
        return relays;
    }

    /** Streams that were given up for lack of room. */
    PlacedCount refused() {
        return refused;
    }

    /** One direction of a connection. */
    private final class Reader implements StreamReader {
        private final TcpStream stream;
        private byte[] held = new byte[0];
        private int count;
        /** Whether the start of a packet has to be found, behind a hole. */
        private boolean isLost;

        private long latestNs = Long.MIN_VALUE;
        private long latestFrame;

        Reader(TcpStream stream) {
            this.stream = stream;
        }

        @Override
        public boolean data(MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
            if (frameNumber > latestFrame) {
                latestFrame = frameNumber;
                latestNs = timestampNs;
            }
            if (isLost && pickup(segment, offset, length) != Pickup.NOW) {
                return true;
            }
            isLost = false;
            if (heldBytes + length > MOST_HELD) {
                refused.add(frameNumber, timestampNs);
                end();
                return false;
            }
            // the bytes and those that are held become one piece of native memory, in which packets are read
            byte[] all = Arrays.copyOf(held, count + length);
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, all, count, length);
            memory.copy(all, 0, all.length);
            return packets(memory.segment(memory.chunk()), memory.offset(), all);
        }

        private boolean packets(MemorySegment segment, long base, byte[] all) {
            int at = 0;
            while (all.length - at >= HEAD) {
                int length = packetLength(segment, base + at);
                if (length < HEAD) {
                    end();
                    return false; // another protocol, or lost
                }
                if (length > all.length - at) {
                    break;
                }
                packet(segment, base + at, length);
                at += length;
            }
            hold(Arrays.copyOfRange(all, at, all.length));
            return true;
        }

        private void packet(MemorySegment segment, long offset, int length) {
            if (isHep(segment, offset)) {
                boolean _ = hep.packet(segment, offset, length, latestFrame, latestNs, found);
                return;
            }
            PacketContext context = new PacketContext(latestNs, latestFrame, stream.source(), stream.destination());
            relays.packet(
                    new CarriedStage.Packet(CarriedStage.Packet.Kind.TURN, segment, offset, length, length, context),
                    found);
        }

        /** With the padding of ChannelData, which streams have (RFC 8656, 12.5); 0 if it is none of these packets. */
        private static int packetLength(MemorySegment segment, long offset) {
            if (isHep(segment, offset)) {
                return NetworkOrder.u16(segment, offset + HEP_LENGTH);
            }
            int length = NetworkOrder.u16(segment, offset + 2);
            if (isStun(segment, offset)) {
                return StunView.LENGTH + length;
            }
            boolean isChannel = NetworkOrder.u8(segment, offset) >>> 4 == 4;
            return isChannel ? Math.max(HEAD, TurnChannelView.LENGTH + length + 3 & ~3) : 0;
        }

        private void hold(byte[] rest) {
            heldBytes += rest.length - count;
            held = rest;
            count = rest.length;
        }

        /** What follows a hole cannot be told apart until a packet with a mark begins a segment. */
        @Override
        public void gap(long missingBytes, long timestampNs, long frameNumber) {
            hold(new byte[0]);
            isLost = true;
        }

        @Override
        public void end() {
            hold(new byte[0]);
        }
    }
}
