package io.offhook.packet.fields;

import io.offhook.packet.Endpoint;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LinkType;
import io.offhook.packet.MacAddress;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.Protocol;
import io.offhook.packet.SafeText;
import io.offhook.packet.link.EthernetView;
import io.offhook.packet.network.Ipv4View;
import io.offhook.packet.network.Ipv6FragmentView;
import io.offhook.packet.walk.IcmpError;
import io.offhook.packet.walk.PacketWalker;
import org.jspecify.annotations.Nullable;

/**
 * The summary of one packet: source, destination, innermost protocol, and a few words about it. Addresses are those of
 * the innermost IP header, otherwise of the link. Each protocol writes its own words ({@link Protocol#summarize}); this
 * class adds those about the packet: fragments, the packet that an ICMP error quotes, the place where a walk stopped.
 *
 * <p>Pass packets in the order of the capture: a protocol may learn from earlier ones. For output: it creates strings.
 * Single-threaded.
 */
public final class PacketSummary {
    private final ApplicationRecognizer recognizer;
    private final StandardProtocols protocols = new StandardProtocols();
    private final Layer layer = new Layer();
    private final IcmpError error = new IcmpError();
    private final PacketWalker quoted = new PacketWalker();
    private final SafeText info = new SafeText();

    private String source = "";
    private String destination = "";
    private String protocol = "";
    private @Nullable Protocol application;

    /**
     * Creates a summary.
     *
     * @param recognizer names the payload of transport layers; used by this summary alone
     */
    public PacketSummary(ApplicationRecognizer recognizer) {
        this.recognizer = recognizer;
    }

    /** Describes a walked packet. */
    public void describe(PacketWalker walker, int linkType) {
        info.clear();
        int innermost = innermost(walker);
        Protocol own = innermost < 0 ? null : walker.protocol(innermost);
        application = own == null ? recognizer.recognize(walker) : null;
        if (walker.network() >= 0) {
            source = address(walker.sourceHigh(), walker.sourceLow(), walker.sourcePort());
            destination = address(walker.destinationHigh(), walker.destinationLow(), walker.destinationPort());
        } else {
            linkAddresses(walker);
        }
        if (own != null) {
            protocol = registered(walker, innermost, own);
        } else {
            protocol = walker.network() >= 0 ? network(walker) : link(walker, linkType);
        }
        broken(walker);
    }

    /** The innermost layer that is no payload, or -1. */
    private static int innermost(PacketWalker walker) {
        int innermost = walker.layerCount() - 1;
        while (innermost >= 0 && walker.layerType(innermost) == LayerType.PAYLOAD) {
            innermost--;
        }
        return innermost;
    }

    /** A registered protocol is asked first: it knows more about the packet than any layer below. */
    private String registered(PacketWalker walker, int i, Protocol own) {
        layer.set(walker, i);
        if (!own.summarize(layer, info)) {
            info.number(layer.length()).text(" bytes");
        }
        return own.title(layer);
    }

    private String network(PacketWalker walker) {
        if (walker.isFragment()) {
            return fragment(walker);
        }
        return walker.transport() < 0 ? other(walker) : transport(walker);
    }

    private String transport(PacketWalker walker) {
        int transport = walker.transport();
        LayerType type = walker.layerType(transport);
        Protocol known = application;
        if (known != null && (type == LayerType.UDP || type == LayerType.TCP)) {
            if (!known.summarize(recognizer.message(), info)) {
                info.number(walker.payloadWireLength()).text(" bytes");
            }
            return known.title();
        }
        protocols.of(type).summarize(layer.set(walker, transport), info);
        if (error.find(walker)) {
            quoted.walk(error.segment(), error.offset(), error.length(), error.wireLength(), LinkType.RAW);
            quoted();
        }
        return protocols.of(type).title();
    }

    /** The packet that an ICMP error quotes. */
    private void quoted() {
        if (quoted.network() < 0) {
            return;
        }
        info.text(" (");
        if (quoted.transport() >= 0) {
            info.text(quoted.layerType(quoted.transport()).label()).text(" ");
        }
        info.text(address(quoted.sourceHigh(), quoted.sourceLow(), quoted.sourcePort()));
        info.text(" -> ");
        info.text(address(quoted.destinationHigh(), quoted.destinationLow(), quoted.destinationPort()));
        info.text(")");
    }

    /** Address and port, or the address alone where the port is 0. */
    private static String address(long high, long low, int port) {
        Endpoint endpoint = new Endpoint(high, low, port);
        return port == 0 ? endpoint.addressText() : endpoint.toString();
    }

    /** The first fragment shows the content of the datagram; the others show their position. */
    private String fragment(PacketWalker walker) {
        int network = walker.network();
        String name;
        if (walker.transport() >= 0) {
            name = transport(walker);
            info.text(info.isEmpty() ? "" : ", ");
        } else {
            name = protocols.of(walker.layerType(network)).title();
        }
        int extension = walker.lastIndexOf(LayerType.IPV6_FRAGMENT);
        if (extension > network) {
            layer.set(walker, extension);
            int position = layer.u16(Ipv6FragmentView.OFFSET_FLAGS);
            place((position & 1) != 0, layer.u32(Ipv6FragmentView.IDENTIFICATION), 8, position & ~7);
        } else {
            layer.set(walker, network);
            int position = layer.u16(Ipv4View.FLAGS_OFFSET);
            int offset = (position & 0x1fff) * 8;
            place((position & 0x2000) != 0, layer.u16(Ipv4View.IDENTIFICATION), 4, offset);
        }
        info.number(walker.networkPayloadLength()).text(" bytes");
        return name;
    }

    private void place(boolean isMore, long identification, int digits, int offset) {
        info.text(isMore ? "fragment " : "last fragment ").hex(identification, digits);
        info.text(" at ").number(offset).text(", ");
    }

    /** IP without ports above it: the innermost layer above it that has a summary. */
    private String other(PacketWalker walker) {
        for (int i = walker.layerCount() - 1; i > walker.network(); i--) {
            LayerType type = walker.layerType(i);
            // ARP in a tunnel concerns other addresses than those of the line
            if (type != LayerType.ARP && protocols.of(type).summarize(layer.set(walker, i), info)) {
                return protocols.of(type).title();
            }
        }
        info.text("protocol ").number(walker.protocol());
        info.text(", ").number(walker.payloadWireLength()).text(" bytes");
        return protocols.of(walker.layerType(walker.network())).title();
    }

    private void linkAddresses(PacketWalker walker) {
        int ethernet = walker.lastIndexOf(LayerType.ETHERNET);
        source = "";
        destination = "";
        if (ethernet >= 0 && walker.layerHeaderLength(ethernet) >= EthernetView.LENGTH) {
            long header = walker.layerOffset(ethernet);
            destination = MacAddress.text(NetworkOrder.u48(walker.segment(), header + EthernetView.DESTINATION));
            source = MacAddress.text(NetworkOrder.u48(walker.segment(), header + EthernetView.SOURCE));
        }
    }

    private String link(PacketWalker walker, int linkType) {
        int innermost = innermost(walker);
        if (innermost < 0) {
            info.text("link type ").text(LinkType.name(linkType));
            return "data";
        }
        Protocol last = protocols.of(walker.layerType(innermost));
        layer.set(walker, innermost);
        if (!last.summarize(layer, info)) {
            info.number(walker.payloadWireLength()).text(" bytes");
        }
        return last.title(layer);
    }

    /** Adds where a packet is cut off or malformed. */
    private void broken(PacketWalker walker) {
        switch (walker.stop()) {
            case TRUNCATED -> stop(walker, " cut");
            case MALFORMED -> stop(walker, " malformed");
            case TOO_DEEP -> stop(walker, ": too many layers");
            case COMPLETE, UNSUPPORTED, REACHED -> {}
        }
    }

    private void stop(PacketWalker walker, String what) {
        info.text(info.isEmpty() ? "[" : " [");
        Protocol own = walker.stopProtocol();
        info.text(own == null ? walker.stopLayer().label() : own.label())
                .text(what)
                .text("]");
    }

    /** The source; empty if unknown. */
    public String source() {
        return source;
    }

    /** The destination; empty if unknown. */
    public String destination() {
        return destination;
    }

    /** The innermost known protocol: "SIP", "RTP", "TCP"... */
    public String protocol() {
        return protocol;
    }

    /** The words about the packet, safe to display; valid until the next packet. */
    public CharSequence info() {
        return info;
    }

    /** The protocol that the transport layer carries; null if unknown. */
    public @Nullable Protocol application() {
        return application;
    }

    /** The location of the {@link #application()}'s message; valid until the next packet. */
    public Layer message() {
        return recognizer.message();
    }
}
