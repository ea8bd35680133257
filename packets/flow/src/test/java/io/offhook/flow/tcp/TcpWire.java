package io.offhook.flow.tcp;

import io.offhook.flow.Holding;
import io.offhook.flow.OverlapPolicy;
import io.offhook.flow.tcp.TcpStreamHandler.Pickup;
import io.offhook.packet.Endpoint;
import io.offhook.packet.NetworkOrder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hand-made TCP segments, and a record of what {@link TcpStreams} told of them. The client is "c", the server "s"; other
 * clients are named by their port.
 */
final class TcpWire implements AutoCloseable {
    static final int FIN = 0x01;
    static final int SYN = 0x02;
    static final int RST = 0x04;
    static final int ACK = 0x10;
    static final long MS = 1_000_000;
    static final long START_NS = 1_700_000_000_000_000_000L;
    static final Endpoint CLIENT = Endpoint.ofIpv4(0x0a000001, 40_000);
    static final Endpoint SERVER = Endpoint.ofIpv4(0x0a000002, 5060);

    /** One call of the handler, its bytes copied. */
    record Told(String kind, String who, String text, long timestampNs, long frameNumber) {
        @Override
        public String toString() {
            return who + " " + kind + (text.isEmpty() ? "" : " " + text);
        }
    }

    final TcpStreams streams;
    private final TcpSegment segment = new TcpSegment();
    final List<Told> reported = new ArrayList<>();
    final List<String> asked = new ArrayList<>();
    MemorySegment frame = Arena.ofAuto().allocate(1 << 17);
    final Sender client = new Sender(CLIENT, SERVER);
    final Sender server = new Sender(SERVER, CLIENT);
    Function<String, Pickup> pickup = text -> Pickup.IGNORE;
    Function<TcpStream, Boolean> ignores = stream -> false;
    MemorySegment lastMemory = MemorySegment.NULL;
    long lastOffset;
    /** Time goes on by a millisecond with each segment. */
    long nowNs = START_NS;

    /** Each frame has a place of its own, and stays there. */
    private final boolean isStaying;

    private @Nullable TcpStream lastStream;

    long frameNumber;
    int scope;
    int window = 8000;

    TcpWire(TcpLimits limits) {
        this(limits, OverlapPolicy.FIRST, Holding.COPY);
    }

    TcpWire(TcpLimits limits, OverlapPolicy policy, Holding holding) {
        streams = new TcpStreams(limits, policy, holding, new Recorder());
        isStaying = holding == Holding.REFERENCE;
    }

    TcpWire() {
        this(TcpLimits.DEFAULT);
    }

    Sender sender(int clientPort) {
        return new Sender(CLIENT.withPort(clientPort), SERVER);
    }

    /** What was told so far, as text; "c data abc" "c gap 3" "s end FIN". */
    List<String> reported() {
        return reported.stream().map(Told::toString).toList();
    }

    /** All bytes told of a stream, holes as "[3]", and its end as "!FIN". */
    String text(String who) {
        StringBuilder text = new StringBuilder();
        for (Told one : reported) {
            if (one.who.equals(who)) {
                switch (one.kind) {
                    case "data" -> text.append(one.text);
                    case "gap" -> text.append('[').append(one.text).append(']');
                    default -> text.append('!').append(one.text);
                }
            }
        }
        return text.toString();
    }

    /** SYN, SYN ACK, ACK; both sides' first byte has the number 1001 or 5001. */
    void handshake() {
        client.send(1000, SYN, 0, "");
        server.send(5000, SYN | ACK, 1001, "");
        client.send(1001, ACK, 5001, "");
    }

    long count(TcpCounter counter) {
        return streams.count(counter);
    }

    @Override
    public void close() {
        streams.close();
    }

    private static String nameOf(TcpStream stream) {
        if (stream.source().equals(SERVER)) {
            return stream.destination().equals(CLIENT)
                    ? "s"
                    : "s" + stream.destination().port();
        }
        return stream.source().equals(CLIENT) ? "c" : "c" + stream.source().port();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String read(MemorySegment segment, long offset, int length) {
        return new String(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    /** One end of a connection that sends. */
    final class Sender {
        private final Endpoint source;
        private final Endpoint destination;

        Sender(Endpoint source, Endpoint destination) {
            this.source = source;
            this.destination = destination;
        }

        Sender answering() {
            return new Sender(/* source= */ destination, /* destination= */ source);
        }

        /** Data, in the number space of {@link #handshake}: position 0 is the first byte. */
        void data(int position, String text) {
            send((this == server ? 5001 : 1001) + position, ACK, 0, text);
        }

        void send(int sequence, int flags, int acknowledgment, String text) {
            byte[] payload = bytes(text);
            sendCut(sequence, flags, acknowledgment, payload, payload.length);
        }

        /** A segment of which only the first bytes were captured. */
        void sendCut(int sequence, int flags, int acknowledgment, byte[] payload, int captured) {
            long tcp = 14 + 20;
            if (isStaying) {
                frame = Arena.ofAuto().allocate(tcp + 20 + payload.length);
            }
            NetworkOrder.putU16(frame, tcp, source.port());
            NetworkOrder.putU16(frame, tcp + 2, destination.port());
            NetworkOrder.putU32(frame, tcp + 4, sequence & 0xffff_ffffL);
            NetworkOrder.putU32(frame, tcp + 8, acknowledgment & 0xffff_ffffL);
            NetworkOrder.putU8(frame, tcp + 12, 5 << 4);
            NetworkOrder.putU8(frame, tcp + 13, flags);
            NetworkOrder.putU16(frame, tcp + 14, window);
            MemorySegment.copy(MemorySegment.ofArray(payload), 0, frame, tcp + 20, captured);
            segment.source(source.high(), source.low(), source.port());
            segment.destination(destination.high(), destination.low(), destination.port());
            segment.captured(nowNs, ++frameNumber, scope);
            segment.bytes(frame, tcp, tcp + 20, captured, payload.length);
            streams.segment(segment);
            if (!isStaying) { // what was borrowed must not be needed any more
                frame.asSlice(tcp, 20 + captured).fill((byte) '#');
            }
            nowNs += MS;
        }
    }

    /** The stream of the call told last. */
    TcpStream lastStream() {
        return Objects.requireNonNull(lastStream);
    }

    private final class Recorder implements TcpStreamHandler {
        @Override
        public Pickup pickup(MemorySegment segment, long payloadOffset, int payloadLength) {
            String text = read(segment, payloadOffset, payloadLength);
            asked.add(text);
            return pickup.apply(text);
        }

        @Override
        public void data(
                TcpStream stream, MemorySegment segment, long offset, int length, long timestampNs, long frameNumber) {
            lastStream = stream;
            lastMemory = segment;
            lastOffset = offset;
            reported.add(new Told("data", nameOf(stream), read(segment, offset, length), timestampNs, frameNumber));
            if (ignores.apply(stream)) {
                stream.ignore();
            }
        }

        @Override
        public void gap(TcpStream stream, long missingBytes, long timestampNs, long frameNumber) {
            String text = String.format(Locale.ROOT, "%d", missingBytes);
            reported.add(new Told("gap", nameOf(stream), text, timestampNs, frameNumber));
        }

        @Override
        public void end(TcpStream stream, End reason) {
            lastStream = stream;
            reported.add(new Told("end", nameOf(stream), reason.name(), 0, 0));
        }
    }
}
