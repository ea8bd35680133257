package io.offhook.packet.network;

import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A message of multicast listener discovery, version 1 (RFC 2710, 3) or 2 (RFC 3810, 5): query, report, done.
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |      type     |      code     |            checksum           |
 * +---------------+---------------+-------------------------------+
 * |     maximum response delay    |          record count         |
 * +-------------------------------+-------------------------------+
 * | group address, or records ...
 * </pre>
 */
public final class MldView extends HeaderView<MldView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;
    /** A type of message (RFC 2710, 3). */
    public static final int QUERY = 130;
    /** A type of message (RFC 2710, 3). */
    public static final int REPORT = 131;
    /** A type of message (RFC 2710, 3). */
    public static final int DONE = 132;
    /** The report of version 2 (RFC 3810, 5.2). */
    public static final int REPORT_2 = 143;

    private static final int TYPE = 0;
    private static final int CODE = 1;
    private static final int CHECKSUM = 2;
    private static final int MAXIMUM_RESPONSE_DELAY = 4;
    /** The offset of the number of records of a version 2 report, in bytes. */
    public static final int RECORD_COUNT = 6;
    /** The offset of the multicast address, in bytes. */
    public static final int GROUP = 8;

    private static final int GROUP_END = 24;
    private static final int QUERY_FLAGS = 24;
    private static final int QUERY_INTERVAL = 25;
    /** The offset of the number of sources of a version 2 query, in bytes. */
    public static final int SOURCE_COUNT = 26;
    /** Bytes of a query of version 2, before its sources. */
    public static final int QUERY_2_LENGTH = 28;

    /** The length of a record of a version 2 report up to its sources, in bytes. */
    public static final int RECORD_LENGTH = 20;
    /** The offset of the number of words of auxiliary data in a record, in bytes. */
    public static final int RECORD_WORDS = 1;
    /** The offset of the number of sources in a record, in bytes. */
    public static final int RECORD_SOURCES = 2;
    /** The offset of the multicast address in a record, in bytes. */
    public static final int RECORD_GROUP = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public MldView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.ICMPV6;
    }

    /**
     * Wraps a message: TRUNCATED if it is shorter than its type requires, UNSUPPORTED if it is no ICMPv6 message of
     * multicast listener discovery.
     */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        if (length < MIN_LENGTH) {
            return WrapStatus.TRUNCATED;
        }
        int type = NetworkOrder.u8(segment, offset + TYPE);
        if (type != QUERY && type != REPORT && type != DONE && type != REPORT_2) {
            return WrapStatus.UNSUPPORTED;
        }
        return wrap(segment, offset, length, type == REPORT_2 ? MIN_LENGTH : GROUP_END);
    }

    /** {@link #QUERY}, {@link #REPORT}, {@link #DONE} or {@link #REPORT_2}. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public MldView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /** The code, which qualifies the type. */
    public int code() {
        return u8(CODE);
    }

    /** Sets {@link #code()}; 0 to 255. */
    public MldView code(int code) {
        return putU8(CODE, "code", code);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public MldView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** The maximum response delay of a query: in ms below 32,768, above that as defined by RFC 3810, 5.1.3. */
    public int maximumResponseDelay() {
        return u16(MAXIMUM_RESPONSE_DELAY);
    }

    /** Sets {@link #maximumResponseDelay()}; 0 to 65535. */
    public MldView maximumResponseDelay(int maximumResponseDelay) {
        return putU16(MAXIMUM_RESPONSE_DELAY, "maximumResponseDelay", maximumResponseDelay);
    }

    /** The number of records of a version 2 report; otherwise reserved. */
    public int recordCount() {
        return u16(RECORD_COUNT);
    }

    /** Sets {@link #recordCount()}; 0 to 65535. */
    public MldView recordCount(int recordCount) {
        return putU16(RECORD_COUNT, "recordCount", recordCount);
    }

    /** First half of the multicast address; a version 2 report has none here, but one in each record. */
    public long groupHigh() {
        return type() == REPORT_2 ? 0 : bits64(GROUP);
    }

    /** Second half of the multicast address. */
    public long groupLow() {
        return type() == REPORT_2 ? 0 : bits64(GROUP + 8);
    }

    /**
     * Sets the multicast address, both halves.
     *
     * @throws IllegalStateException if the message does not have the field
     */
    public MldView group(long high, long low) {
        FieldRange.require("group", type() != REPORT_2);
        putBits64(GROUP, high);
        return putBits64(GROUP + 8, low);
    }

    /** Whether a query is of version 2, and so has the next four fields. */
    public boolean isQuery2() {
        return type() == QUERY && length >= QUERY_2_LENGTH;
    }

    /** Whether routers are to keep the sender's timers as they are; of a version 2 query. */
    public boolean suppressRouterSide() {
        return isQuery2() && (u8(QUERY_FLAGS) & 8) != 0;
    }

    /** Sets {@link #suppressRouterSide()}. */
    public MldView suppressRouterSide(boolean suppressRouterSide) {
        FieldRange.require("suppressRouterSide", isQuery2());
        return putFlag(QUERY_FLAGS, 4, suppressRouterSide);
    }

    /** The querier's robustness variable, of a version 2 query: 3 bits. */
    public int robustness() {
        return isQuery2() ? u8(QUERY_FLAGS) & 7 : 0;
    }

    /** Sets {@link #robustness()}; 0 to 7. */
    public MldView robustness(int robustness) {
        FieldRange.require("robustness", isQuery2());
        return putBits(QUERY_FLAGS, 5, 3, "robustness", robustness);
    }

    /** The query interval of a version 2 query: in seconds below 128, above that as defined by RFC 3810, 5.1.9. */
    public int queryInterval() {
        return isQuery2() ? u8(QUERY_INTERVAL) : 0;
    }

    /** Sets {@link #queryInterval()}; 0 to 255. */
    public MldView queryInterval(int queryInterval) {
        FieldRange.require("queryInterval", isQuery2());
        return putU8(QUERY_INTERVAL, "queryInterval", queryInterval);
    }

    /** Sources that a version 2 query asks for; as the message says, which may be more than are there. */
    public int sourceCount() {
        return isQuery2() ? u16(SOURCE_COUNT) : 0;
    }

    /** Sets {@link #sourceCount()}; 0 to 65535. */
    public MldView sourceCount(int sourceCount) {
        FieldRange.require("sourceCount", isQuery2());
        return putU16(SOURCE_COUNT, "sourceCount", sourceCount);
    }

    /** Where the first record of a version 2 report starts: type, length of auxiliary data, sources, group, sources. */
    public long recordsOffset() {
        return offset + MIN_LENGTH;
    }

    @Override
    public String toString() {
        return "mld type " + type();
    }

    /** Reports messages of multicast listener discovery, for {@link Icmpv6View.Descriptor}. */
    static final class Fields {
        private final MldView mld = new MldView();

        /** Whether it is a message of multicast listener discovery; then it was reported. */
        boolean visit(Layer layer, FieldVisitor to) {
            if (!layer.wrap(mld)) {
                return false;
            }
            if (mld.type() == REPORT_2) {
                to.number("recordCount", mld.recordCount());
                records(layer, to);
                return true;
            }
            to.number("maximumResponseDelay", mld.maximumResponseDelay());
            to.ipv6("group", mld.groupHigh(), mld.groupLow());
            if (mld.isQuery2()) {
                to.flag("suppressRouterSide", mld.suppressRouterSide());
                to.number("robustness", mld.robustness());
                to.number("queryInterval", mld.queryInterval());
                to.number("sourceCount", mld.sourceCount());
            }
            return true;
        }

        /** RFC 9777, 5.2.4: type, words of auxiliary data, number of sources, group. */
        private void records(Layer layer, FieldVisitor to) {
            MemorySegment segment = layer.segment();
            long at = mld.recordsOffset();
            long end = layer.offset() + layer.length();
            for (int i = 0; i < mld.recordCount() && end - at >= RECORD_LENGTH; i++) {
                long group = at + RECORD_GROUP;
                to.number("recordType", NetworkOrder.u8(segment, at));
                to.ipv6("recordGroup", NetworkOrder.bits64(segment, group), NetworkOrder.bits64(segment, group + 8));
                int words = NetworkOrder.u8(segment, at + RECORD_WORDS);
                at += RECORD_LENGTH + 4L * words + 16L * NetworkOrder.u16(segment, at + RECORD_SOURCES);
            }
        }
    }
}
