package io.offhook.packet.walk;

import io.offhook.packet.Claims;
import io.offhook.packet.IpProtocol;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerCursor;
import io.offhook.packet.LayerType;
import io.offhook.packet.Layers;
import io.offhook.packet.Protocol;
import io.offhook.packet.walk.PacketWalker.Stop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Continues a walk where the built-in steps end, with the protocols that a program registered. Whatever these do, the
 * walk remains sound: each step lists at most one layer, inside the one that carries it, or ends the walk.
 */
final class RegisteredLayers extends LayerCursor {
    /** No number led here. */
    static final int NONE = 0;

    private static final int SPACE = ~0xffff;

    private final Walk walk;
    private final Layers packet;
    private final Protocol[] protocols;
    private final Claims[] claims;
    private final Layer layer = new Layer();

    /** For each listed layer of a registered protocol, the protocol. */
    private final Protocol[] ofLayer = new Protocol[PacketWalker.MAX_LAYERS];

    private Protocol current;
    private int layersBefore;
    private int readEnd;

    RegisteredLayers(Walk walk, Layers packet, Protocols registered) {
        this.walk = walk;
        this.packet = packet;
        List<Protocol> all = registered.create();
        protocols = all.toArray(Protocol[]::new);
        claims = all.stream().map(Protocol::claims).toArray(Claims[]::new);
        current = protocols[0];
    }

    /** The protocol of layer {@code i}, which must be registered. */
    Protocol of(int i) {
        return ofLayer[i];
    }

    /** The protocol at which the walk stopped, if that is a registered one. */
    Protocol last() {
        return current;
    }

    /**
     * Takes one step from where the built-in steps ended.
     *
     * @param step the number that led to the last built-in step; {@link #NONE} if there was none
     * @param before the number of layers listed before it
     * @return what comes next, or {@link Walk#DONE}
     */
    int goOn(int step, int before) {
        Protocol found = null;
        if (walk.stop == Stop.UNSUPPORTED && walk.layerCount == before) {
            found = byNumber(step);
        } else if (walk.stop == Stop.COMPLETE && walk.at < walk.end && walk.transport == walk.layerCount - 1) {
            found = walk.transport < 0 ? null : byPorts();
        }
        if (found == null || walk.lacksRoom()) {
            return Walk.DONE;
        }
        walk.stop = Stop.COMPLETE;
        return step(found);
    }

    private @Nullable Protocol byNumber(int step) {
        int number = step & 0xffff;
        return switch (step & SPACE) {
            case Walk.LINK -> accepting(Claims.Space.LINK_TYPE, number);
            case Walk.ETHER_TYPE -> accepting(Claims.Space.ETHER_TYPE, number);
            case Walk.IP_PROTOCOL -> accepting(Claims.Space.IP_PROTOCOL, number);
            default -> null;
        };
    }

    private @Nullable Protocol byPorts() {
        LayerType transport = LayerType.ofIndex(walk.layerIndex(walk.transport));
        if (transport != LayerType.UDP && transport != LayerType.TCP) {
            return null;
        }
        Claims.Space space = transport == LayerType.UDP ? Claims.Space.UDP_PORT : Claims.Space.TCP_PORT;
        Protocol found = accepting(space, walk.ports & 0xffff);
        if (found == null) {
            found = accepting(space, walk.ports >>> 16);
        }
        return found == null ? byContent(transport) : found;
    }

    private @Nullable Protocol accepting(Claims.Space space, int number) {
        for (int i = 0; i < protocols.length; i++) {
            if (claims[i].contains(space, number) && protocols[i].accepts(here())) {
                return protocols[i];
            }
        }
        return null;
    }

    private @Nullable Protocol byContent(LayerType transport) {
        for (int i = 0; i < protocols.length; i++) {
            if (protocols[i].isMarked(transport, here())
                    || transport == LayerType.UDP && protocols[i].isLikely(here())) {
                return protocols[i];
            }
        }
        return null;
    }

    /** The rest of the packet, as a layer of its own. */
    private Layer here() {
        return layer.set(packet, walk.segment, walk.base + walk.at, available(), wireAvailable());
    }

    private int step(Protocol protocol) {
        current = protocol;
        layersBefore = walk.layerCount;
        readEnd = 0;
        int next = protocol.step(this);
        if (walk.stop != Stop.COMPLETE) {
            return Walk.DONE;
        }
        if (walk.layerCount == layersBefore) {
            return walk.unsupported(LayerType.REGISTERED); // it consumed nothing
        }
        return next == DONE || canFollow(next) ? next : walk.unsupported(LayerType.PAYLOAD);
    }

    /** Whether a protocol may return that number. A transport layer must be inside an IP packet. */
    private boolean canFollow(int next) {
        int number = next & 0xffff;
        return switch (next & SPACE) {
            case LINK_TYPE, ETHER_TYPE -> true;
            case IP_PROTOCOL -> walk.network >= 0 || number == IpProtocol.IPV4 || number == IpProtocol.IPV6;
            default -> false;
        };
    }

    @Override
    public int available() {
        return walk.end - walk.at;
    }

    @Override
    public int wireAvailable() {
        return walk.wireEnd - walk.at;
    }

    @Override
    public int u8(int at) {
        if (at < 0 || at >= available()) {
            readEnd = Math.max(readEnd, at == Integer.MAX_VALUE ? at : at + 1);
            return 0;
        }
        return walk.u8(at);
    }

    @Override
    public void clip(int length) {
        if (walk.layerCount == layersBefore && length < wireAvailable()) {
            walk.clip(Math.max(length, 0));
        }
    }

    @Override
    public int take(int headerLength) {
        if (walk.layerCount != layersBefore || walk.stop != Stop.COMPLETE) {
            return DONE; // one layer per step
        }
        if (headerLength < 0) {
            return malformed();
        }
        int needed = Math.max(headerLength, readEnd);
        ofLayer[walk.layerCount] = current;
        if (walk.lacks(needed)) {
            walk.truncated(LayerType.REGISTERED, needed);
            walk.push(LayerType.REGISTERED, available());
        } else {
            walk.push(LayerType.REGISTERED, headerLength);
        }
        return DONE;
    }

    @Override
    public int malformed() {
        if (walk.layerCount == layersBefore) {
            walk.malformed(LayerType.REGISTERED, current.layout().length());
        }
        return DONE;
    }
}
