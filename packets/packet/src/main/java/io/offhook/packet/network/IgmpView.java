package io.offhook.packet.network;

import io.offhook.packet.FieldRange;
import io.offhook.packet.FieldVisitor;
import io.offhook.packet.HeaderLayout;
import io.offhook.packet.HeaderView;
import io.offhook.packet.Layer;
import io.offhook.packet.LayerType;
import io.offhook.packet.LayerView;
import io.offhook.packet.NetworkOrder;
import io.offhook.packet.SafeText;
import io.offhook.packet.ViewProtocol;
import io.offhook.packet.WrapStatus;
import java.lang.foreign.MemorySegment;

/**
 * A message of IGMP, version 1 (RFC 1112, appendix I), 2 (RFC 2236, 2) or 3 (RFC 3376, 4).
 *
 * <pre>
 *  0               8               16              24              32
 * +---------------+---------------+-------------------------------+
 * |      type     |maximum respon.|            checksum           |
 * +---------------+---------------+-------------------------------+
 * |                             group                             |
 * +---------------------------------------------------------------+
 * | version 3: sources, or records ...
 * </pre>
 */
public final class IgmpView extends HeaderView<IgmpView> implements LayerView {
    /** The minimum length of a header, in bytes. */
    public static final int MIN_LENGTH = 8;
    /** A type of message (RFC 3376, 4). */
    public static final int QUERY = 0x11;
    /** A type of message (RFC 3376, 4). */
    public static final int REPORT_1 = 0x12;
    /** A type of message (RFC 3376, 4). */
    public static final int REPORT_2 = 0x16;
    /** A type of message (RFC 3376, 4). */
    public static final int LEAVE = 0x17;
    /** A type of message (RFC 3376, 4). */
    public static final int REPORT_3 = 0x22;

    /** The offset of the type, in bytes. */
    public static final int TYPE = 0;

    private static final int MAXIMUM_RESPONSE_TIME = 1;
    /** The offset of the checksum, in bytes. */
    public static final int CHECKSUM = 2;
    /** The offset of the group, in bytes. */
    public static final int GROUP = 4;
    /** The offset of the number of records of a version 3 report, in bytes. */
    public static final int RECORD_COUNT = 6;

    private static final int QUERY_FLAGS = 8;
    private static final int QUERY_INTERVAL = 9;
    /** The offset of the number of sources of a version 3 query, in bytes. */
    public static final int SOURCE_COUNT = 10;
    /** Bytes of a query of version 3, before its sources. */
    public static final int QUERY_3_LENGTH = 12;

    /** The length of a record of a version 3 report up to its sources, in bytes. */
    public static final int RECORD_LENGTH = 8;
    /** The offset of the number of words of auxiliary data in a record, in bytes. */
    public static final int RECORD_WORDS = 1;
    /** The offset of the number of sources in a record, in bytes. */
    public static final int RECORD_SOURCES = 2;
    /** The offset of the multicast address in a record, in bytes. */
    public static final int RECORD_GROUP = 4;

    /** Creates a view; call {@link #wrap} before any accessor. */
    public IgmpView() {}

    @Override
    public boolean reads(LayerType type) {
        return type == LayerType.IGMP;
    }

    /** Wraps a message: TRUNCATED below 8 bytes. */
    @Override
    public WrapStatus wrap(MemorySegment segment, long offset, int length) {
        return wrap(segment, offset, length, MIN_LENGTH);
    }

    /** {@link #QUERY}, a report or {@link #LEAVE}; others are of older routing protocols. */
    public int type() {
        return u8(TYPE);
    }

    /** Sets {@link #type()}; 0 to 255. */
    public IgmpView type(int type) {
        return putU8(TYPE, "type", type);
    }

    /**
     * The maximum response time of a query, in units of 100 ms; 0 in version 1. Values from 128 are defined by RFC
     * 3376, 4.1.1.
     */
    public int maximumResponseTime() {
        return u8(MAXIMUM_RESPONSE_TIME);
    }

    /** Sets {@link #maximumResponseTime()}; 0 to 255. */
    public IgmpView maximumResponseTime(int maximumResponseTime) {
        return putU8(MAXIMUM_RESPONSE_TIME, "maximumResponseTime", maximumResponseTime);
    }

    /** The checksum as it stands in the header, right or wrong. */
    public int checksum() {
        return u16(CHECKSUM);
    }

    /** Sets {@link #checksum()}; 0 to 65535. */
    public IgmpView checksum(int checksum) {
        return putU16(CHECKSUM, "checksum", checksum);
    }

    /** The multicast address; of a version 3 report: two reserved bytes and the number of records. */
    public long group() {
        return u32(GROUP);
    }

    /** Sets {@link #group()}; 0 to 4294967295. */
    public IgmpView group(long group) {
        return putU32(GROUP, "group", group);
    }

    /** Whether it is a version 3 report, whose groups are in {@link #recordCount()} records. */
    public boolean isReport3() {
        return type() == REPORT_3;
    }

    /** Whether it is a query of version 3, and so has the last four fields. */
    public boolean isQuery3() {
        return type() == QUERY && length >= QUERY_3_LENGTH;
    }

    /** Records of a version 3 report; as the message says, which may be more than are there. */
    public int recordCount() {
        return isReport3() ? u16(RECORD_COUNT) : 0;
    }

    /** Sets {@link #recordCount()}; 0 to 65535. */
    public IgmpView recordCount(int recordCount) {
        FieldRange.require("recordCount", isReport3());
        return putU16(RECORD_COUNT, "recordCount", recordCount);
    }

    /** Where the first record of a version 3 report starts: type, length of auxiliary data, sources, group, sources. */
    public long recordsOffset() {
        return offset + MIN_LENGTH;
    }

    /** Whether routers are to keep the sender's timers as they are; of a version 3 query. */
    public boolean suppressRouterSide() {
        return isQuery3() && (u8(QUERY_FLAGS) & 8) != 0;
    }

    /** Sets {@link #suppressRouterSide()}. */
    public IgmpView suppressRouterSide(boolean suppressRouterSide) {
        FieldRange.require("suppressRouterSide", isQuery3());
        return putFlag(QUERY_FLAGS, 4, suppressRouterSide);
    }

    /** The querier's robustness variable, of a version 3 query: 3 bits. */
    public int robustness() {
        return isQuery3() ? u8(QUERY_FLAGS) & 7 : 0;
    }

    /** Sets {@link #robustness()}; 0 to 7. */
    public IgmpView robustness(int robustness) {
        FieldRange.require("robustness", isQuery3());
        return putBits(QUERY_FLAGS, 5, 3, "robustness", robustness);
    }

    /** The query interval of a version 3 query: in seconds below 128, above that as defined by RFC 3376, 4.1.7. */
    public int queryInterval() {
        return isQuery3() ? u8(QUERY_INTERVAL) : 0;
    }

    /** Sets {@link #queryInterval()}; 0 to 255. */
    public IgmpView queryInterval(int queryInterval) {
        FieldRange.require("queryInterval", isQuery3());
        return putU8(QUERY_INTERVAL, "queryInterval", queryInterval);
    }

    /** Sources that a version 3 query asks for; as the message says, which may be more than are there. */
    public int sourceCount() {
        return isQuery3() ? u16(SOURCE_COUNT) : 0;
    }

    /** Sets {@link #sourceCount()}; 0 to 65535. */
    public IgmpView sourceCount(int sourceCount) {
        FieldRange.require("sourceCount", isQuery3());
        return putU16(SOURCE_COUNT, "sourceCount", sourceCount);
    }

    @Override
    public String toString() {
        return "igmp type 0x" + Integer.toHexString(type());
    }

    /** Describes the protocol for output; a walk does not load this class. */
    public static final class Descriptor extends ViewProtocol<IgmpView> {
        /** Creates the descriptor. */
        public Descriptor() {
            super(
                    "igmp",
                    new IgmpView(),
                    HeaderLayout.of(MIN_LENGTH)
                            .number("type", TYPE, 8)
                            .number("maximumResponseTime", MAXIMUM_RESPONSE_TIME, 8)
                            .number("checksum", CHECKSUM, 16));
        }

        @Override
        protected void variableFields(Layer layer, FieldVisitor to) {
            if (!view.isReport3()) {
                to.ipv4("group", view.group());
                if (view.isQuery3()) {
                    to.flag("suppressRouterSide", view.suppressRouterSide());
                    to.number("robustness", view.robustness());
                    to.number("queryInterval", view.queryInterval());
                    to.number("sourceCount", view.sourceCount());
                }
                return;
            }
            to.number("recordCount", view.recordCount());
            records(layer, to);
        }

        /** RFC 3376, 4.2.4: type, words of auxiliary data, number of sources, group. */
        private void records(Layer layer, FieldVisitor to) {
            MemorySegment segment = layer.segment();
            long at = view.recordsOffset();
            long end = layer.offset() + layer.headerLength();
            for (int i = 0; i < view.recordCount() && end - at >= RECORD_LENGTH; i++) {
                to.number("recordType", NetworkOrder.u8(segment, at));
                to.ipv4("recordGroup", NetworkOrder.u32(segment, at + RECORD_GROUP));
                int words = NetworkOrder.u8(segment, at + RECORD_WORDS);
                at += RECORD_LENGTH + 4L * (words + NetworkOrder.u16(segment, at + RECORD_SOURCES));
            }
        }

        @Override
        public boolean summarize(Layer layer, SafeText to) {
            if (!layer.wrap(view)) {
                to.text("malformed");
                return true;
            }
            switch (view.type()) {
                case QUERY -> to.text("query ").ipv4(view.group());
                case REPORT_1, REPORT_2 -> to.text("report ").ipv4(view.group());
                case LEAVE -> to.text("leave ").ipv4(view.group());
                case REPORT_3 ->
                    to.text("report of ").number(view.recordCount()).text(" groups");
                default -> to.text("type ").number(view.type());
            }
            return true;
        }
    }
}
