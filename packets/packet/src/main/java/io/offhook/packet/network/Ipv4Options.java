package io.offhook.packet.network;

import io.offhook.packet.FieldVisitor;
import io.offhook.packet.TypeLengthValues;
import io.offhook.packet.TypedElements;
import java.util.Objects;

/**
 * The options of an IPv4 header (RFC 791, 3.1, and the registry of IANA), one after the other.
 *
 * <pre>
 *  0 1   3    8        16       24
 * +-+---+----+--------+--------+----
 * |C|cls|num |  length| pointer| data ...
 * +-+---+----+--------+--------+----
 * </pre>
 */
public final class Ipv4Options extends TypedElements<Ipv4Options> {
    /** A type of option (RFC 791, 3.1). */
    public static final int END = 0;
    /** A type of option (RFC 791, 3.1). */
    public static final int NO_OPERATION = 1;
    /** A type of option (RFC 791, 3.1). */
    public static final int RECORD_ROUTE = 7;
    /** A type of option (RFC 4782). */
    public static final int QUICK_START = 25;
    /** A type of option (RFC 791, 3.1). */
    public static final int TIMESTAMP = 68;
    /** A type of option (RFC 1393). */
    public static final int TRACEROUTE = 82;
    /** A type of option (RFC 791, 3.1). */
    public static final int SECURITY = 130;
    /** A type of option (RFC 791, 3.1). */
    public static final int LOOSE_SOURCE_ROUTE = 131;
    /** A type of option (RFC 1108, 3). */
    public static final int EXTENDED_SECURITY = 133;
    /** A type of option (CIPSO, FIPS 188). */
    public static final int COMMERCIAL_SECURITY = 134;
    /** A type of option (RFC 791, 3.1). */
    public static final int STREAM_ID = 136;
    /** A type of option (RFC 791, 3.1). */
    public static final int STRICT_SOURCE_ROUTE = 137;
    /** A type of option (RFC 2113). */
    public static final int ROUTER_ALERT = 148;

    // where fields are, from the start of the value
    private static final int POINTER = 0;
    private static final int ADDRESSES = 1;
    private static final int OVERFLOW_FORM = 1;
    private static final int TIMES = 2;
    private static final int ALERT = 0;
    private static final int STREAM = 0;
    private static final int LEVEL = 0;
    private static final int DOMAIN = 0;
    private static final int TRACE = 0;
    private static final int FUNCTION_RATE = 0;

    /** Creates an iterator; call {@code wrap} before {@code next}. */
    public Ipv4Options() {
        super(TypeLengthValues.Form.IPV4_OPTIONS);
    }

    /** All 8 bits; 0 before the first option and after the last. */
    public int type() {
        return (int) list.type();
    }

    /** Whether fragments have the option too. */
    public boolean isCopied() {
        return (type() & 0x80) != 0;
    }

    /** The offset of the data in the segment. */
    public long dataOffset() {
        return list.valueOffset();
    }

    /** The length of the data, in bytes. */
    public int dataLength() {
        return list.valueLength();
    }

    /**
     * The pointer of a route or timestamp: the place of the next entry, counted from the option's first byte, which is
     * 1.
     */
    public int pointer() {
        return isRoute() || type() == TIMESTAMP ? list.u8(POINTER) : 0;
    }

    /**
     * Sets {@link #pointer()}.
     *
     * @throws IllegalStateException if the option has none, or it is not in 0 to 255
     */
    public Ipv4Options pointer(int pointer) {
        return put("pointer", isRoute() || type() == TIMESTAMP, POINTER, 0, 8, pointer);
    }

    /** Whether it is a source route, or records one. */
    public boolean isRoute() {
        return type() == RECORD_ROUTE || type() == LOOSE_SOURCE_ROUTE || type() == STRICT_SOURCE_ROUTE;
    }

    /** Addresses that a route has room for. */
    public int addressCount() {
        return isRoute() ? Math.max(dataLength() - ADDRESSES, 0) >> 2 : 0;
    }

    /** IPv4 address {@code i} of a route; whether it is filled in, {@link #pointer()} says. */
    public long address(int i) {
        return list.u32(ADDRESSES + 4 * Objects.checkIndex(i, addressCount()));
    }

    /**
     * Sets {@link #address(int)}.
     *
     * @throws IllegalArgumentException if it does not fit in 32 bits
     */
    public Ipv4Options address(int i, long address) {
        return put("address", true, ADDRESSES + 4 * Objects.checkIndex(i, addressCount()), 0, 32, address);
    }

    /** The overflow of a timestamp: the number of routers that found no room; 4 bits. */
    public int overflow() {
        return type() == TIMESTAMP ? list.u8(OVERFLOW_FORM) >>> 4 : 0;
    }

    /** Sets {@link #overflow()}. */
    public Ipv4Options overflow(int overflow) {
        return put("overflow", type() == TIMESTAMP, OVERFLOW_FORM, 0, 4, overflow);
    }

    /** The form of a timestamp: 0 times only, 1 with addresses, 3 for given addresses. */
    public int timestampForm() {
        return type() == TIMESTAMP ? list.u8(OVERFLOW_FORM) & 15 : 0;
    }

    /** Sets {@link #timestampForm()}. */
    public Ipv4Options timestampForm(int timestampForm) {
        return put("timestampForm", type() == TIMESTAMP, OVERFLOW_FORM, 4, 4, timestampForm);
    }

    /** Entries that a timestamp has room for. */
    public int timestampCount() {
        return type() == TIMESTAMP ? Math.max(dataLength() - TIMES, 0) / timestampSize() : 0;
    }

    private int timestampSize() {
        return timestampForm() == 0 ? 4 : 8;
    }

    /** Time {@code i}, in ms since midnight UT, or with the highest bit set in a unit of the router's own. */
    public long timestamp(int i) {
        int size = timestampSize();
        return list.u32(TIMES + size * Objects.checkIndex(i, timestampCount()) + size - 4);
    }

    /** Sets {@link #timestamp(int)}, 32 bits. */
    public Ipv4Options timestamp(int i, long timestamp) {
        int size = timestampSize();
        int at = TIMES + size * Objects.checkIndex(i, timestampCount()) + size - 4;
        return put("timestamp", true, at, 0, 32, timestamp);
    }

    /** Who wrote time {@code i}, where the form has that; else 0. */
    public long timestampAddress(int i) {
        return timestampForm() == 0 ? 0 : list.u32(TIMES + 8 * Objects.checkIndex(i, timestampCount()));
    }

    /** Sets {@link #timestampAddress(int)}, 32 bits. */
    public Ipv4Options timestampAddress(int i, long address) {
        int at = TIMES + 8 * Objects.checkIndex(i, timestampCount());
        return put("timestampAddress", timestampForm() != 0, at, 0, 32, address);
    }

    /** The value of a router alert (RFC 2113): 0 asks routers to examine the packet. */
    public int routerAlert() {
        return type() == ROUTER_ALERT ? list.u16(ALERT) : 0;
    }

    /** Sets {@link #routerAlert()}. */
    public Ipv4Options routerAlert(int routerAlert) {
        return put("routerAlert", type() == ROUTER_ALERT, ALERT, 0, 16, routerAlert);
    }

    /** The identifier of a stream option, 16 bits. */
    public int streamId() {
        return type() == STREAM_ID ? list.u16(STREAM) : 0;
    }

    /** Sets {@link #streamId()}. */
    public Ipv4Options streamId(int streamId) {
        return put("streamId", type() == STREAM_ID, STREAM, 0, 16, streamId);
    }

    /** The level of a security option (RFC 1108), or the high byte of its compartment (RFC 791); 8 bits. */
    public int securityLevel() {
        return type() == SECURITY ? list.u8(LEVEL) : 0;
    }

    /** Sets {@link #securityLevel()}. */
    public Ipv4Options securityLevel(int securityLevel) {
        return put("securityLevel", type() == SECURITY, LEVEL, 0, 8, securityLevel);
    }

    /** The domain of interpretation of a commercial security option (CIPSO). */
    public long domainOfInterpretation() {
        return type() == COMMERCIAL_SECURITY ? list.u32(DOMAIN) : 0;
    }

    /** Sets {@link #domainOfInterpretation()}. */
    public Ipv4Options domainOfInterpretation(long domainOfInterpretation) {
        return put("domainOfInterpretation", type() == COMMERCIAL_SECURITY, DOMAIN, 0, 32, domainOfInterpretation);
    }

    /** The number of a trace (RFC 1393). */
    public int tracerouteId() {
        return type() == TRACEROUTE ? list.u16(TRACE) : 0;
    }

    /** Sets {@link #tracerouteId()}. */
    public Ipv4Options tracerouteId(int tracerouteId) {
        return put("tracerouteId", type() == TRACEROUTE, TRACE, 0, 16, tracerouteId);
    }

    /** The rate requested by quick start (RFC 4782), 4 bits. */
    public int quickStartRate() {
        return type() == QUICK_START ? list.u8(FUNCTION_RATE) & 15 : 0;
    }

    /** Sets {@link #quickStartRate()}. */
    public Ipv4Options quickStartRate(int quickStartRate) {
        return put("quickStartRate", type() == QUICK_START, FUNCTION_RATE, 4, 4, quickStartRate);
    }

    @Override
    public String toString() {
        return "ipv4 option " + type() + " of " + length() + " bytes";
    }

    /** Reports the option at hand. For output. */
    void visit(FieldVisitor to) {
        to.number("optionType", type());
        switch (type()) {
            case RECORD_ROUTE, LOOSE_SOURCE_ROUTE, STRICT_SOURCE_ROUTE -> {
                to.number("pointer", pointer());
                for (int i = 0; i < addressCount(); i++) {
                    to.ipv4("address", address(i));
                }
            }
            case TIMESTAMP -> visitTimestamps(to);
            case ROUTER_ALERT -> to.number("routerAlert", routerAlert());
            case STREAM_ID -> to.number("streamId", streamId());
            case SECURITY -> to.number("securityLevel", securityLevel());
            case COMMERCIAL_SECURITY -> to.number("domainOfInterpretation", domainOfInterpretation());
            case TRACEROUTE -> to.number("tracerouteId", tracerouteId());
            case QUICK_START -> to.number("quickStartRate", quickStartRate());
            default -> {}
        }
    }

    private void visitTimestamps(FieldVisitor to) {
        to.number("pointer", pointer());
        to.number("overflow", overflow());
        to.number("timestampForm", timestampForm());
        for (int i = 0; i < timestampCount(); i++) {
            if (timestampForm() != 0) {
                to.ipv4("timestampAddress", timestampAddress(i));
            }
            to.number("timestamp", timestamp(i));
        }
    }
}
