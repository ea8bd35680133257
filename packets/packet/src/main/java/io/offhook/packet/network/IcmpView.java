package io.offhook.packet.network;

import io.offhook.packet.CarrierView;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * An ICMP header (RFC 792); what the second word means depends on the type.
 *
 * <pre>
 *  0        8        16               32
 * +--------+--------+----------------+
 * |  type  |  code  |    checksum    |
 * +--------+--------+----------------+
 * |  identifier, MTU, gateway ...    |
 * +----------------------------------+
 * |   body ...
 * </pre>
 */
public final class IcmpView extends CarrierView<IcmpView> implements LayerView {
    /** The length of the header, in bytes. */
    public static final int LENGTH = 8;
    /** A type of message (RFC 792). */
    public static final int ECHO_REPLY = 0;
    /** A type of message (RFC 792). */
    public static final int DESTINATION_UNREACHABLE = 3;
    /** A type of message (RFC 792). */
    public static final int SOURCE_QUENCH = 4;
    /** A type of message (RFC 792). */
    public static final int REDIRECT = 5;
    /** A type of message (RFC 792). */
    public static final int ECHO_REQUEST = 8;
    /** A type of message (RFC 792). */
    public static final int TIME_EXCEEDED = 11;
    /** A type of message (RFC 792). */
    public static final int PARAMETER_PROBLEM = 12;

    /** The offset of the type, in bytes. */
    public static final int TYPE = 0;
    /** The offset of the code, in bytes. */
    public static final int CODE = 1;

    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 2;
    /** The offset of the bits whose meaning depends on the type, in bytes. */
    public static final int PARAMETER = 4;

    private static final int IDENTIFIER = 4;
    private static final int SEQUENCE_NUMBER = 6;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public IcmpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ICMP;
    }

    /** Wraps a message; TRUNCATED below 8 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, LENGTH);
    }

    /** The kind of message. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public IcmpView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /** The code, which qualifies the type. */
    public int code() {
        return u8(CODE);
    }

    /** Sets {@link #code()}; 0 to 255. */
    public IcmpView code(int code) {
        return putU8(CODE, "code", code);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public IcmpView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** The second word, whatever it means. */
    public long parameter() {
        return u32(PARAMETER);
    }

    /** Sets {@link #parameter()}; 0 to 4294967295. */
    public IcmpView parameter(long parameter) {
        return putU32(PARAMETER, "parameter", parameter);
    }

    /** Whether it is an echo request or reply. */
    public boolean isEcho() {
        return isEcho(type());
    }

    private static boolean isEcho(int type) {
        return type == ECHO_REQUEST || type == ECHO_REPLY;
    }

    /** The identifier of an echo. */
    public int identifier() {
        return u16(IDENTIFIER);
    }

    /** Sets {@link #identifier()}; 0 to 65535. */
    public IcmpView identifier(int identifier) {
        return putU16(IDENTIFIER, "identifier", identifier);
    }

    /** The sequence number of an echo. */
    public int sequenceNumber() {
        return u16(SEQUENCE_NUMBER);
    }

    /** Sets {@link #sequenceNumber()}; 0 to 65535. */
    public IcmpView sequenceNumber(int sequenceNumber) {
        return putU16(SEQUENCE_NUMBER, "sequenceNumber", sequenceNumber);
    }

    @Override
    public String toString() {
        return "icmp type " + type() + " code " + code();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<IcmpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "icmp",
                    new IcmpView(),
                    HeaderLayout.of(LENGTH)
                            .number("type", TYPE, 8)
                            .number("code", CODE, 8)
                            .number("checksum", CHECKSUM, 16));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (view.isEcho()) {
                to.number("identifier", view.identifier());
                to.number("sequenceNumber", view.sequenceNumber());
            } else {
                to.number("parameter", view.parameter());
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            int type = layer.u8(TYPE);
            to.text(name(type, layer.u8(CODE)));
            if (isEcho(type) && layer.length() >= LENGTH) {
                to.text(" id=").number(layer.u16(IDENTIFIER));
                to.text(" seq=").number(layer.u16(SEQUENCE_NUMBER));
            }
            return true;
        }

        private static String name(int type, int code) {
            return switch (type) {
                case ECHO_REPLY -> "echo reply";
                case ECHO_REQUEST -> "echo request";
                case DESTINATION_UNREACHABLE -> unreachable(code);
                case SOURCE_QUENCH -> "source quench";
                case REDIRECT -> "redirect";
                case TIME_EXCEEDED -> code == 1 ? "reassembly time exceeded" : "time exceeded";
                case PARAMETER_PROBLEM -> "parameter problem";
                case 9 -> "router advertisement";
                case 10 -> "router solicitation";
                case 13 -> "timestamp request";
                case 14 -> "timestamp reply";
                default -> "type " + type + " code " + code;
            };
        }

        private static String unreachable(int code) {
            return switch (code) {
                case 0 -> "network unreachable";
                case 1 -> "host unreachable";
                case 2 -> "protocol unreachable";
                case 3 -> "port unreachable";
                case 4 -> "fragmentation needed";
                case 5 -> "source route failed";
                case 6 -> "network unknown";
                case 7 -> "host unknown";
                case 9, 10, 13 -> "administratively prohibited";
                default -> "unreachable, code " + code;
            };
        }
    }
}
