package io.offhook.packet.network;

import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * An ICMPv6 header (RFC 4443, 2.1); what follows the checksum depends on the type.
 *
 * <pre>
 *  0        8        16               32
 * +--------+--------+----------------+
 * |  type  |  code  |    checksum    |
 * +--------+--------+----------------+
 * |   body ...
 * </pre>
 */
public final class Icmpv6View extends HeaderView<Icmpv6View> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 4;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int DESTINATION_UNREACHABLE = 1;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int PACKET_TOO_BIG = 2;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int TIME_EXCEEDED = 3;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int PARAMETER_PROBLEM = 4;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int ECHO_REQUEST = 128;
    /** A type of message (RFC 4443, 3 and 4). */
    public static final int ECHO_REPLY = 129;
    /** A type of message (RFC 4861, 4). */
    public static final int NEIGHBOR_SOLICITATION = 135;
    /** A type of message (RFC 4861, 4). */
    public static final int NEIGHBOR_ADVERTISEMENT = 136;

    private static final int TYPE = 0;
    private static final int CODE = 1;
    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 2;

    private static final int BODY = 4;
    private static final int IDENTIFIER = 4;
    private static final int SEQUENCE_NUMBER = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public Icmpv6View() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ICMPV6;
    }

    /** Wraps a message; TRUNCATED below 4 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** Below 128 it is an error. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public Icmpv6View type(int type) {
        return putU8(TYPE, "type", type);
    }

    /** The code, which qualifies the type. */
    public int code() {
        return u8(CODE);
    }

    /** Sets {@link #code()}; 0 to 255. */
    public Icmpv6View code(int code) {
        return putU8(CODE, "code", code);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public Icmpv6View checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** Whether its type, below 128, is an error's. */
    public boolean isError() {
        return type() < 128;
    }

    /** Whether it is an echo request or reply. */
    public boolean isEcho() {
        return type() == ECHO_REQUEST || type() == ECHO_REPLY;
    }

    /** The first word of the body, whatever it means; 0 if there is none. */
    public long parameter() {
        return length >= BODY + 4 ? u32(BODY) : 0;
    }

    /** Sets {@link #parameter()}; 0 to 4294967295. */
    public Icmpv6View parameter(long parameter) {
        FieldRange.require("parameter", length >= BODY + 4);
        return putU32(BODY, "parameter", parameter);
    }

    /** The identifier of an echo, else 0. */
    public int identifier() {
        return isEcho() ? (int) (parameter() >>> 16) : 0;
    }

    /** Sets {@link #identifier()}; 0 to 65535. */
    public Icmpv6View identifier(int identifier) {
        FieldRange.require("identifier", isEcho() && length >= BODY + 4);
        return putU16(IDENTIFIER, "identifier", identifier);
    }

    /** The sequence number of an echo, else 0. */
    public int sequenceNumber() {
        return isEcho() ? (int) parameter() & 0xffff : 0;
    }

    /** Sets {@link #sequenceNumber()}; 0 to 65535. */
    public Icmpv6View sequenceNumber(int sequenceNumber) {
        FieldRange.require("sequenceNumber", isEcho() && length >= BODY + 4);
        return putU16(SEQUENCE_NUMBER, "sequenceNumber", sequenceNumber);
    }

    /** Where what follows the checksum starts. */
    public long bodyOffset() {
        return offset + BODY;
    }

    /** The length of what follows the checksum, in bytes. */
    public int bodyLength() {
        return length - BODY;
    }

    @Override
    public String toString() {
        return "icmpv6 type " + type() + " code " + code();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<Icmpv6View> {
        private final NeighborDiscoveryView.Fields neighbor = new NeighborDiscoveryView.Fields();
        private final MldView.Fields listener = new MldView.Fields();

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "icmpv6",
                    "ICMPv6",
                    new Icmpv6View(),
                    HeaderLayout.of(LENGTH)
                            .number("type", TYPE, 8)
                            .number("code", CODE, 8)
                            .number("checksum", CHECKSUM, 16));
        }

        @Override
        public void fields(Layer layer, FieldVisitor to) {
            super.fields(layer, to);
            if (!layer.wrap(view) || view.bodyLength() < 4) {
                return;
            }
            if (view.isEcho()) {
                to.number("identifier", layer.u16(IDENTIFIER));
                to.number("sequenceNumber", layer.u16(SEQUENCE_NUMBER));
            } else if (!neighbor.visit(layer, to) && !listener.visit(layer, to)) {
                to.number("parameter", view.parameter());
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            int type = layer.u8(TYPE);
            to.text(name(type, layer.u8(CODE)));
            if ((type == ECHO_REQUEST || type == ECHO_REPLY) && layer.length() >= BODY + 4) {
                to.text(" id=").number(layer.u16(IDENTIFIER));
                to.text(" seq=").number(layer.u16(SEQUENCE_NUMBER));
            }
            return true;
        }

        private static String unreachable(int code) {
            return switch (code) {
                case 0 -> "no route";
                case 1 -> "administratively prohibited";
                case 3 -> "address unreachable";
                case 4 -> "port unreachable";
                default -> "unreachable, code " + code;
            };
        }

        private static String name(int type, int code) {
            return switch (type) {
                case DESTINATION_UNREACHABLE -> unreachable(code);
                case PACKET_TOO_BIG -> "packet too big";
                case TIME_EXCEEDED -> code == 1 ? "reassembly time exceeded" : "hop limit exceeded";
                case PARAMETER_PROBLEM -> "parameter problem";
                case ECHO_REQUEST -> "echo request";
                case ECHO_REPLY -> "echo reply";
                case MldView.QUERY -> "multicast listener query";
                case MldView.REPORT, MldView.REPORT_2 -> "multicast listener report";
                case MldView.DONE -> "multicast listener done";
                case NeighborDiscoveryView.ROUTER_SOLICITATION -> "router solicitation";
                case NeighborDiscoveryView.ROUTER_ADVERTISEMENT -> "router advertisement";
                case NEIGHBOR_SOLICITATION -> "neighbor solicitation";
                case NEIGHBOR_ADVERTISEMENT -> "neighbor advertisement";
                case NeighborDiscoveryView.REDIRECT -> "redirect";
                default -> "type " + type + " code " + code;
            };
        }
    }
}
