package io.offhook.packet.application;

import io.offhook.packet.Claims;
import io.offhook.packet.FieldBits;
import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A DHCP message (RFC 2131, 2), or one of BOOTP (RFC 951), which has no options.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+---------------+---------------+
 * |   operation   | hardware type |hardware length|      hops     |
 * +---------------+---------------+---------------+---------------+
 * |                         transaction id                        |
 * +-------------------------------+-------------------------------+
 * |            seconds            |             flags             |
 * +-------------------------------+-------------------------------+
 * |                         client address                        |
 * +---------------------------------------------------------------+
 * |                          your address                         |
 * +---------------------------------------------------------------+
 * |                         server address                        |
 * +---------------------------------------------------------------+
 * |                         relay address                         |
 * +---------------------------------------------------------------+
 * |                        client hardware                        |
 * +---------------------------------------------------------------+
 * |              ...              |
 * +-------------------------------+
 * | server name (64 bytes), boot file (128 bytes), cookie, options ...
 * </pre>
 */
public final class DhcpView extends HeaderView<DhcpView> {
    /** The length of the part that every header has, in bytes. */
    public static final int FIXED_LENGTH = 236;

    private static final int OPTIONS = 240;
    private static final int COOKIE = 0x63825363;
    private static final int MESSAGE_TYPE = 53;
    private static final int OPERATION = 0;
    private static final int HARDWARE_TYPE = 1;
    private static final int HARDWARE_LENGTH = 2;
    private static final int HOPS = 3;
    private static final int TRANSACTION_ID = 4;
    private static final int SECONDS = 8;
    private static final int FLAGS = 10;
    private static final int CLIENT_ADDRESS = 12;
    private static final int YOUR_ADDRESS = 16;
    private static final int SERVER_ADDRESS = 20;
    private static final int RELAY_ADDRESS = 24;
    private static final int CLIENT_HARDWARE = 28;

    private int type;
    private long typeAt;
    private final TypeLengthValues search = new TypeLengthValues(TypeLengthValues.Form.DHCP_OPTIONS);

    /** Creates a view; call {@link #wrap} before any accessor. */
    public DhcpView() {}

    /**
     * Wraps a message: TRUNCATED below 236 bytes, MALFORMED if it is neither request nor reply.
     *
     * @param length the number of bytes available from {@code offset}
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < FIXED_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int operation = NetworkOrder.u8(segment, offset + OPERATION);
        if (operation != 1 && operation != 2) {
            return WrapStatus.MALFORMED;
        }
        typeAt = -1;
        type = messageType(segment, offset, length);
        return wrap(segment, offset, length, FIXED_LENGTH);
    }

    /** 1 request, 2 reply. */
    public int operation() {
        return u8(OPERATION);
    }

    /** Sets {@link #operation()}; 0 to 255. */
    public DhcpView operation(int operation) {
        return putU8(OPERATION, "operation", operation);
    }

    /** 1 for Ethernet. */
    public int hardwareType() {
        return u8(HARDWARE_TYPE);
    }

    /** Sets {@link #hardwareType()}; 0 to 255. */
    public DhcpView hardwareType(int hardwareType) {
        return putU8(HARDWARE_TYPE, "hardwareType", hardwareType);
    }

    /** Bytes of a hardware address. */
    public int hardwareLength() {
        return u8(HARDWARE_LENGTH);
    }

    /** Sets {@link #hardwareLength()}; 0 to 255. */
    public DhcpView hardwareLength(int hardwareLength) {
        return putU8(HARDWARE_LENGTH, "hardwareLength", hardwareLength);
    }

    /** Relays that it went through. */
    public int hops() {
        return u8(HOPS);
    }

    /** Sets {@link #hops()}; 0 to 255. */
    public DhcpView hops(int hops) {
        return putU8(HOPS, "hops", hops);
    }

    /** The identifier that requests and replies share. */
    public long transactionId() {
        return u32(TRANSACTION_ID);
    }

    /** Sets {@link #transactionId()}; 0 to 4294967295. */
    public DhcpView transactionId(long transactionId) {
        return putU32(TRANSACTION_ID, "transactionId", transactionId);
    }

    /** Since the client began. */
    public int seconds() {
        return u16(SECONDS);
    }

    /** Sets {@link #seconds()}; 0 to 65535. */
    public DhcpView seconds(int seconds) {
        return putU16(SECONDS, "seconds", seconds);
    }

    /** 0x8000: the reply is to be a broadcast. */
    public int flags() {
        return u16(FLAGS);
    }

    /** Sets {@link #flags()}; 0 to 65535. */
    public DhcpView flags(int flags) {
        return putU16(FLAGS, "flags", flags);
    }

    /** The client's own, once it has one. */
    public long clientAddress() {
        return u32(CLIENT_ADDRESS);
    }

    /** Sets {@link #clientAddress()}; 0 to 4294967295. */
    public DhcpView clientAddress(long clientAddress) {
        return putU32(CLIENT_ADDRESS, "clientAddress", clientAddress);
    }

    /** The address assigned to the client. */
    public long yourAddress() {
        return u32(YOUR_ADDRESS);
    }

    /** Sets {@link #yourAddress()}; 0 to 4294967295. */
    public DhcpView yourAddress(long yourAddress) {
        return putU32(YOUR_ADDRESS, "yourAddress", yourAddress);
    }

    /** IPv4 address of the server to boot from next. */
    public long serverAddress() {
        return u32(SERVER_ADDRESS);
    }

    /** Sets {@link #serverAddress()}; 0 to 4294967295. */
    public DhcpView serverAddress(long serverAddress) {
        return putU32(SERVER_ADDRESS, "serverAddress", serverAddress);
    }

    /** IPv4 address of the first relay; 0 without one. */
    public long relayAddress() {
        return u32(RELAY_ADDRESS);
    }

    /** Sets {@link #relayAddress()}; 0 to 4294967295. */
    public DhcpView relayAddress(long relayAddress) {
        return putU32(RELAY_ADDRESS, "relayAddress", relayAddress);
    }

    /** The client's MAC address, where the hardware type is Ethernet. */
    public long clientHardware() {
        return u48(CLIENT_HARDWARE);
    }

    /** Sets {@link #clientHardware()}; 0 to 281474976710655. */
    public DhcpView clientHardware(long clientHardware) {
        return putU48(CLIENT_HARDWARE, "clientHardware", clientHardware);
    }

    /** The value of option 53; 0 if there is none. */
    private int messageType(MemorySegment segment, long offset, int length) {
        if (!hasCookie(segment, offset, length)) {
            return 0;
        }
        search.wrap(segment, offset + OPTIONS, length - OPTIONS);
        while (search.next()) {
            if (search.type() == MESSAGE_TYPE && search.valueLength() > 0) {
                typeAt = search.valueOffset();
                return search.u8(0);
            }
        }
        return 0;
    }

    /** Whether the magic cookie (RFC 2131, 3) stands behind the fixed part, and so options follow. */
    public static boolean hasCookie(MemorySegment segment, long offset, int length) {
        return length >= OPTIONS && NetworkOrder.bits32(segment, offset + FIXED_LENGTH) == COOKIE;
    }

    /** Whether options follow the fixed part: without, it is BOOTP. */
    public boolean hasOptions() {
        return hasCookie(segment, offset, length);
    }

    /** 1 discover, 2 offer, 3 request, 4 decline, 5 ack, 6 nak, 7 release, 8 inform (RFC 2132, 9.6); 0 of BOOTP. */
    public int messageType() {
        return type;
    }

    /**
     * Sets {@link #messageType()}.
     *
     * @throws IllegalStateException if there is no such option
     */
    public DhcpView messageType(int messageType) {
        FieldRange.require("messageType", typeAt >= 0);
        FieldBits.put(segment, typeAt, 0, 8, "messageType", messageType);
        type = messageType;
        return this;
    }

    /** Puts the iterator, of {@link TypeLengthValues.Form#DHCP_OPTIONS}, before the first option. */
    public void options(TypeLengthValues options) {
        int from = hasOptions() ? OPTIONS : length;
        options.wrap(segment, offset + from, length - from);
    }

    @Override
    public String toString() {
        return "dhcp type " + messageType();
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<DhcpView> {
        private final TypeLengthValues options = new TypeLengthValues(TypeLengthValues.Form.DHCP_OPTIONS);

        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "dhcp",
                    new DhcpView(),
                    HeaderLayout.of(FIXED_LENGTH)
                            .number("operation", OPERATION, 8)
                            .number("hardwareType", HARDWARE_TYPE, 8)
                            .number("hardwareLength", HARDWARE_LENGTH, 8)
                            .number("hops", HOPS, 8)
                            .number("transactionId", TRANSACTION_ID, 32)
                            .number("seconds", SECONDS, 16)
                            .number("flags", FLAGS, 16)
                            .ipv4("clientAddress", CLIENT_ADDRESS)
                            .ipv4("yourAddress", YOUR_ADDRESS)
                            .ipv4("serverAddress", SERVER_ADDRESS)
                            .ipv4("relayAddress", RELAY_ADDRESS)
                            .mac("clientHardware", CLIENT_HARDWARE),
                    Claims.NONE.udp(67, 68));
        }

        @Override
        public boolean accepts(Layer layer) {
            return layer.length() >= FIXED_LENGTH;
        }

        /** By its cookie. */
        @Override
        public boolean isMarked(LayerType transport, Layer payload) {
            return transport == LayerType.UDP
                    && (payload.u8(OPERATION) == 1 || payload.u8(OPERATION) == 2)
                    && hasCookie(payload.segment(), payload.offset(), payload.length());
        }

        /** With the options (RFC 2132). */
        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            view.options(options);
            for (int i = 0; i < MAX_LISTED && options.next(); i++) {
                switch ((int) options.type()) {
                    case 12 -> to.text("hostName", options.text());
                    case 15 -> to.text("domainName", options.text());
                    case 50 -> to.ipv4("requestedAddress", options.u32(0));
                    case 51 -> to.number("leaseTime", options.u32(0));
                    case MESSAGE_TYPE -> to.number("messageType", options.u8(0));
                    case 54 -> to.ipv4("serverIdentifier", options.u32(0));
                    case 60 -> to.text("vendorClass", options.text());
                    default -> options.bytes("option" + options.type(), to);
                }
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            boolean isWhole = layer.wrap(view);
            to.text(name(isWhole ? view.messageType() : 0));
            to.text(" transaction ").hex(layer.u32(TRANSACTION_ID), 8);
            return true;
        }

        private static String name(int messageType) {
            return switch (messageType) {
                case 1 -> "discover";
                case 2 -> "offer";
                case 3 -> "request";
                case 4 -> "decline";
                case 5 -> "ack";
                case 6 -> "nak";
                case 7 -> "release";
                case 8 -> "inform";
                default -> "bootp";
            };
        }
    }
}
