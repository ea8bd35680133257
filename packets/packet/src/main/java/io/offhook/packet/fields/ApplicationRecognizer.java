package io.offhook.packet.fields;

import io.offhook.packet.Claims;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.Layers;
import io.offhook.packet.Protocol;
import io.offhook.packet.transport.SctpChunks;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names the protocol of a transport payload: by content if the protocol has a mark, otherwise by a well-known port and
 * a matching form. For output and for indexes; signalling is the authority on, for example, the ports of media.
 *
 * <p>It examines a single packet, so the name may be wrong. SIP, RTP and RTCP are described by their modules; pass
 * their descriptors to the constructor.
 *
 * <p>It allocates nothing, unless a protocol does. Single-threaded. No input makes it throw or read outside the
 * payload.
 */
public final class ApplicationRecognizer {
    private final Protocol[] protocols;
    private final Claims[] claims;
    private final NumberTable udp;
    private final NumberTable tcp;
    private final NumberTable tcpWithLength;
    private final SctpChunks chunks = new SctpChunks();
    private final Layer message = new Layer();

    /** Creates a recognizer of the applications of this library. */
    public ApplicationRecognizer() {
        this(List.of());
    }

    /**
     * Creates a recognizer of the given protocols and the applications of this library.
     *
     * @param first the protocols consulted before the others; used by this recognizer alone
     */
    public ApplicationRecognizer(List<? extends Protocol> first) {
        List<Protocol> all = new ArrayList<>(first);
        all.addAll(StandardProtocols.applications());
        protocols = all.toArray(Protocol[]::new);
        claims = all.stream().map(Protocol::claims).toArray(Claims[]::new);
        udp = new NumberTable(all, Claims.Space.UDP_PORT);
        tcp = new NumberTable(all, Claims.Space.TCP_PORT);
        tcpWithLength = new NumberTable(all, Claims.Space.TCP_PORT_WITH_LENGTH);
    }

    /** Names the payload of the transport layer of a walked packet; null if there is none or it is unknown. */
    public @Nullable Protocol recognize(Layers packet) {
        int transport = packet.transport();
        int length = transport < 0 ? 0 : packet.payloadLength();
        int wireLength = transport < 0 ? 0 : packet.payloadWireLength();
        message.set(packet, packet.segment(), packet.payloadOffset(), length, wireLength);
        return transport < 0 ? null : name(packet.layerType(transport), packet.sourcePort(), packet.destinationPort());
    }

    /**
     * Names a payload by itself; null if it is unknown.
     *
     * @param transport {@link LayerType#UDP}, {@link LayerType#TCP} or {@link LayerType#SCTP}
     * @param length its captured bytes
     * @param wireLength the number of bytes sent
     */
    public @Nullable Protocol recognize(
            LayerType transport,
            MemorySegment segment,
            long offset,
            int length,
            int wireLength,
            int sourcePort,
            int destinationPort) {
        message.set(Layers.NONE, segment, offset, length, wireLength);
        return name(transport, sourcePort, destinationPort);
    }

    /** The message named last: after the length prefix of DNS over TCP, or inside the SCTP chunk. */
    public Layer message() {
        return message;
    }

    private @Nullable Protocol name(LayerType transport, int source, int destination) {
        if (message.length() == 0) {
            return null;
        }
        return switch (transport) {
            case UDP, UDP_LITE -> datagram(source, destination);
            case TCP -> stream(source, destination);
            case SCTP -> chunk();
            default -> null;
        };
    }

    private @Nullable Protocol datagram(int source, int destination) {
        Protocol known = marked(LayerType.UDP);
        if (known == null) {
            known = udp.accepting(destination, message);
        }
        if (known == null) {
            known = udp.accepting(source, message);
        }
        return known == null ? likely() : known;
    }

    private @Nullable Protocol marked(LayerType transport) {
        for (int i = 0; i < protocols.length; i++) {
            if (protocols[i].isMarked(transport, message)) {
                return protocols[i];
            }
        }
        return null;
    }

    private @Nullable Protocol likely() {
        for (int i = 0; i < protocols.length; i++) {
            if (protocols[i].isLikely(message)) {
                return protocols[i];
            }
        }
        return null;
    }

    private @Nullable Protocol stream(int source, int destination) {
        Protocol known = marked(LayerType.TCP);
        if (known == null) {
            known = streamByPort(destination);
        }
        return known == null ? streamByPort(source) : known;
    }

    private @Nullable Protocol streamByPort(int port) {
        Protocol known = tcp.accepting(port, message);
        if (known != null || !tcpWithLength.has(port) || message.length() <= 2) {
            return known;
        }
        Layers packet = message.packet();
        MemorySegment segment = message.segment();
        long at = message.offset();
        int length = message.length();
        int wireLength = message.wireLength();
        int whole = message.u16(0);
        message.set(packet, segment, at + 2, Math.min(whole, length - 2), whole);
        known = tcpWithLength.accepting(port, message);
        if (known == null) {
            message.set(packet, segment, at, length, wireLength);
        }
        return known;
    }

    /** The user data of the first chunk that has any, by the protocol that it names; 0 names none. */
    private @Nullable Protocol chunk() {
        chunks.wrap(message.segment(), message.offset(), message.length());
        while (chunks.next()) {
            if (chunks.type() == SctpChunks.DATA) {
                int length = chunks.dataLength();
                message.set(message.packet(), message.segment(), chunks.dataOffset(), length, length);
                return length == 0 ? null : ofChunk(chunks.payloadProtocol());
            }
        }
        return null;
    }

    private @Nullable Protocol ofChunk(long payloadProtocol) {
        for (int i = 0; i < protocols.length; i++) {
            Protocol protocol = protocols[i];
            boolean isNamed = payloadProtocol > 0
                    && payloadProtocol <= 0xffff
                    && claims[i].contains(Claims.Space.SCTP_PAYLOAD, (int) payloadProtocol);
            boolean fits =
                    payloadProtocol == 0 && claims[i].has(Claims.Space.SCTP_PAYLOAD) && protocol.accepts(message);
            if ((isNamed || fits) && message.length() >= protocol.layout().length()) {
                return protocol;
            }
        }
        return marked(LayerType.SCTP);
    }
}
