package io.offhook.hep;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RTCP between its two forms: agents send reports as JSON (payload type 5), everything else reads packets (RFC 3550, 6.4).
 *
 * <pre>{@code
 * {"ssrc": 17, "type": 200, "report_count": 1,
 *  "sender_information": {"ntp_timestamp_sec": 3953699806, "ntp_timestamp_usec": 0, "rtp_timestamp": 160,
 *                         "packets": 50, "octets": 8000},
 *  "report_blocks": [{"source_ssrc": 18, "fraction_lost": 0, "packets_lost": 0, "highest_seq_no": 50,
 *                     "ia_jitter": 8, "lsr": 0, "dlsr": 0}]}
 * }</pre>
 *
 * <p>The names are those of captagent, heplify, Asterisk, FreeSWITCH and rtpengine; numbers may be texts. {@code
 * ntp_timestamp_usec} is the fraction of the time stamp as it is in the packet, as all but Asterisk send it.
 */
public final class HepRtcp {
    /** The longest packet: a sender report with 31 blocks. */
    public static final int MOST_BYTES = 28 + 31 * 24;

    private static final int SENDER_REPORT = 200;
    private static final int RECEIVER_REPORT = 201;
    private static final int VERSION = 2 << 6;
    private static final int MOST_BLOCKS = 31;
    private static final int HEADER = 8;
    private static final int SENDER_INFO = 20;
    private static final int BLOCK = 24;
    private static final long U32 = 0xffff_ffffL;
    private static final int LOST_LIMIT = 1 << 23;

    private HepRtcp() {}

    /**
     * The packet of a report as JSON.
     *
     * @return a sender report or a receiver report; null if the bytes are no JSON object with either
     */
    public static byte @Nullable [] packet(byte[] json, int offset, int length) {
        JsonTree report = JsonTree.read(json, offset, length);
        if (report == null) {
            return null;
        }
        JsonTree sender = report.object("sender_information");
        List<JsonTree> blocks = report.objects("report_blocks");
        boolean isSender = report.has("type")
                ? report.whole("type", 0, 255) == SENDER_REPORT
                : sender != null && sender.whole("packets", 0, U32) > 0;
        if (sender == null && (isSender || blocks.isEmpty())) {
            return null;
        }
        int count = Math.min(blocks.size(), MOST_BLOCKS);
        int bytes = HEADER + (isSender ? SENDER_INFO : 0) + count * BLOCK;
        ByteBuffer packet = ByteBuffer.allocate(bytes);
        packet.put((byte) (VERSION | count));
        packet.put((byte) (isSender ? SENDER_REPORT : RECEIVER_REPORT));
        packet.putShort((short) (bytes / 4 - 1));
        packet.putInt((int) u32(report, "ssrc"));
        if (isSender && sender != null) {
            packet.putInt((int) u32(sender, "ntp_timestamp_sec"));
            packet.putInt((int) u32(sender, "ntp_timestamp_usec"));
            packet.putInt((int) u32(sender, "rtp_timestamp"));
            packet.putInt((int) u32(sender, "packets"));
            packet.putInt((int) u32(sender, "octets"));
        }
        for (JsonTree block : blocks.subList(0, count)) {
            packet.putInt((int) u32(block, "source_ssrc"));
            long lost = block.whole("packets_lost", -LOST_LIMIT, U32);
            long cumulative = lost > U32 / 2 ? (int) lost : Math.min(lost, LOST_LIMIT - 1); // some send it unsigned
            packet.putInt((int) (block.whole("fraction_lost", 0, 255) << 24 | cumulative & 0xff_ffffL));
            packet.putInt((int) u32(block, "highest_seq_no"));
            packet.putInt((int) u32(block, "ia_jitter"));
            packet.putInt((int) u32(block, "lsr"));
            packet.putInt((int) u32(block, "dlsr"));
        }
        return packet.array();
    }

    private static long u32(JsonTree of, String name) {
        return of.whole(name, 0, U32);
    }

    /**
     * The JSON of the first sender or receiver report of a compound packet, in the form above.
     *
     * @param packet from the position to the limit, in network order; not changed
     * @return null if its first packet is neither, or is cut
     */
    public static @Nullable String json(ByteBuffer packet) {
        int at = packet.position();
        if (packet.remaining() < HEADER || (packet.get(at) & 0xc0) != VERSION) {
            return null;
        }
        int count = packet.get(at) & 31;
        int type = packet.get(at + 1) & 0xff;
        boolean isSender = type == SENDER_REPORT;
        int length = 4 + 4 * (packet.getShort(at + 2) & 0xffff);
        int needed = HEADER + (isSender ? SENDER_INFO : 0) + count * BLOCK;
        if (!isSender && type != RECEIVER_REPORT || length < needed || packet.remaining() < needed) {
            return null;
        }
        StringBuilder json = new StringBuilder(512);
        json.append("{\"ssrc\":").append(u32(packet, at + 4));
        json.append(",\"type\":").append(type).append(",\"report_count\":").append(count);
        int next = at + HEADER;
        if (isSender) {
            json.append(",\"sender_information\":{\"ntp_timestamp_sec\":").append(u32(packet, next));
            json.append(",\"ntp_timestamp_usec\":").append(u32(packet, next + 4));
            json.append(",\"rtp_timestamp\":").append(u32(packet, next + 8));
            json.append(",\"packets\":").append(u32(packet, next + 12));
            json.append(",\"octets\":").append(u32(packet, next + 16)).append('}');
            next += SENDER_INFO;
        }
        json.append(",\"report_blocks\":[");
        for (int i = 0; i < count; i++, next += BLOCK) {
            json.append(i == 0 ? "" : ",").append("{\"source_ssrc\":").append(u32(packet, next));
            json.append(",\"fraction_lost\":").append(packet.get(next + 4) & 0xff);
            json.append(",\"packets_lost\":").append(packet.getInt(next + 4) << 8 >> 8);
            json.append(",\"highest_seq_no\":").append(u32(packet, next + 8));
            json.append(",\"ia_jitter\":").append(u32(packet, next + 12));
            json.append(",\"lsr\":").append(u32(packet, next + 16));
            json.append(",\"dlsr\":").append(u32(packet, next + 20)).append('}');
        }
        return json.append("]}").toString();
    }

    private static long u32(ByteBuffer packet, int at) {
        return packet.getInt(at) & U32;
    }
}
