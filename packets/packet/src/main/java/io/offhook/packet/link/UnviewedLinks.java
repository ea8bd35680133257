package io.offhook.packet.link;

import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Protocol;

/** Where fields are in headers of links that have no view: they are walked over, and reported. */
public final class UnviewedLinks {
    /** Bytes of FDDI's header (ISO 9314-2): frame control, destination, source. */
    public static final int FDDI_LENGTH = 13;
    /** Bytes of token ring's header (IEEE 802.5) without a route: access and frame control, destination, source. */
    public static final int TOKEN_RING_LENGTH = 14;
    /** Where token ring's source is; its first bit says that a route follows. */
    public static final int TOKEN_RING_SOURCE = 8;
    /** Bytes of ARCnet's header (RFC 1201) as Linux has it, where the protocol is not an old one. */
    public static final int ARCNET_LENGTH = 8;
    /** Where ARCnet's protocol is. */
    public static final int ARCNET_PROTOCOL = 4;
    /** Bytes before an IP packet on InfiniBand: a global route header, then a header of RFC 4391. */
    public static final int IPOIB_LENGTH = 44;
    /** Where the EtherType is in those. */
    public static final int IPOIB_TYPE = 40;
    /** Bytes of the service instance tag of IEEE 802.1ah. */
    public static final int PBB_LENGTH = 4;
    /** Bytes of Cisco's metadata: version, length, tag, and the EtherType at its end, or over GRE at its start. */
    public static final int CISCO_METADATA_LENGTH = 8;
    /** Bytes of the tag of a port extender (IEEE 802.1BR). */
    public static final int EXTENDER_TAG_LENGTH = 8;
    /** Bytes of FabricPath's tag behind its EtherType. */
    public static final int FABRIC_PATH_LENGTH = 2;

    private UnviewedLinks() {}

    /** FDDI. */
    public static final class Fddi extends Protocol {
        /** Creates the descriptor. */
        public Fddi() {
            super(
                    "fddi",
                    HeaderLayout.of(FDDI_LENGTH)
                            .number("control", 0, 8)
                            .mac("destination", 1)
                            .mac("source", 7));
        }
    }

    /** Token ring. */
    public static final class TokenRing extends Protocol {
        /** Creates the descriptor. */
        public TokenRing() {
            super(
                    "tokenRing",
                    HeaderLayout.of(TOKEN_RING_LENGTH).mac("destination", 2).mac("source", TOKEN_RING_SOURCE));
        }
    }

    /** ARCnet. */
    public static final class Arcnet extends Protocol {
        /** Creates the descriptor. */
        public Arcnet() {
            super(
                    "arcnet",
                    HeaderLayout.of(ARCNET_LENGTH)
                            .number("source", 0, 8)
                            .number("destination", 1, 8)
                            .number("protocol", ARCNET_PROTOCOL, 8));
        }
    }

    /** IP over InfiniBand. */
    public static final class Infiniband extends Protocol {
        /** Creates the descriptor. */
        public Infiniband() {
            super("ipoib", HeaderLayout.of(IPOIB_LENGTH).number("type", IPOIB_TYPE, 16));
        }
    }

    /** MAC in MAC. */
    public static final class ServiceInstance extends Protocol {
        /** Creates the descriptor. */
        public ServiceInstance() {
            super(
                    "pbb",
                    HeaderLayout.of(PBB_LENGTH)
                            .bits("priority", 0, 0, 3)
                            .flag("dropEligible", 0, 3)
                            .number("serviceId", 1, 24));
        }
    }

    /** Cisco's FabricPath. */
    public static final class FabricPath extends Protocol {
        /** Creates the descriptor. */
        public FabricPath() {
            super(
                    "fabricPath",
                    HeaderLayout.of(FABRIC_PATH_LENGTH).bits("tree", 0, 0, 10).bits("ttl", 1, 2, 6));
        }
    }
}
