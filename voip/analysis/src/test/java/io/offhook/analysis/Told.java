package io.offhook.analysis;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.packet.FrameBatch;
import io.offhook.rtp.RtpRows;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * All that a pipeline reports, a line each: what came in a shard, what came alone, and of each round its frames, its
 * messages and the frames of these.
 */
final class Told implements TrafficSink, RoundSink {
    private final List<List<String>> sip = lists(Shards.SIP);
    private final List<List<String>> rtp = lists(Shards.RTP);
    private final List<String> alone = new ArrayList<>();
    private final List<TracedConnection> connections = new ArrayList<>();

    private static List<List<String>> lists(int count) {
        List<List<String>> lists = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lists.add(new ArrayList<>());
        }
        return lists;
    }

    /** Shard after shard; then what came alone; then the frames of connections as they were at the end. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        sip.forEach(lines::addAll);
        rtp.forEach(lines::addAll);
        lines.addAll(alone);
        for (TracedConnection connection : connections) {
            StringBuilder text = new StringBuilder("connection ").append(connection.isWhole());
            connection.frames(frame -> text.append(' ').append(frame));
            lines.add(text.toString());
        }
        return lines;
    }

    static String frame(FrameBatch batch, int i) {
        return batch.timestampNs(i) + " " + batch.linkType(i) + " " + batch.wireLength(i) + " "
                + bytes(batch.segmentOf(i), batch.offset(i), batch.capturedLength(i));
    }

    private static String bytes(MemorySegment segment, long offset, int length) {
        CRC32 sum = new CRC32();
        sum.update(segment.asSlice(offset, length).asByteBuffer());
        return length + " bytes " + Long.toHexString(sum.getValue());
    }

    private static String message(SipPacket message) {
        return message.frameNumber() + " " + message.timestampNs() + " " + message.callIdHash() + " " + message.source()
                + " " + message.destination() + " " + message.transport() + " " + message.ipIdentification() + " "
                + bytes(message.segment(), message.offset(), message.length());
    }

    @Override
    public void begin(long firstNs) {
        alone.add("begin " + firstNs);
    }

    @Override
    public void sip(int shard, SipPacket message) {
        sip.get(shard).add("sip " + shard + " " + message(message));
    }

    @Override
    public void publish() {
        alone.add("publish");
        sip.forEach(lines -> lines.add("publish"));
    }

    @Override
    public void rtcp(RtcpPacket packet) {
        alone.add("rtcp " + packet.frameNumber() + " " + packet.timestampNs() + " " + packet.source() + " "
                + packet.destination() + " " + packet.wireLength() + " "
                + bytes(packet.segment(), packet.offset(), packet.length()));
    }

    @Override
    public void icmp(IcmpEvent event) {
        alone.add("icmp " + event);
    }

    @Override
    public void rtp(int shard, RtpRows rows) {
        for (int row = 0; row < rows.end(); row += RtpRows.WIDTH) {
            rtp.get(shard)
                    .add("rtp " + shard + " " + rows.frame(row) + " " + rows.arrivalNs(row) + " " + rows.hash(row));
        }
    }

    @Override
    public void endOfRound(long latestNs) {
        alone.add("end " + latestNs);
        rtp.forEach(lines -> lines.add("end"));
    }

    @Override
    public void round(Round round) {
        alone.add("round " + round.latestNs());
        for (int i = 0; i < round.batches(); i++) {
            for (int j = 0; j < round.batch(i).count(); j++) {
                alone.add(round.batch(i).number(j) + " " + frame(round.batch(i), j));
            }
        }
        round.lateDuplicates((completing, frame) -> alone.add("duplicate " + completing + " " + frame));
        for (SipPacket message : round.messages()) {
            StringBuilder text =
                    new StringBuilder("message ").append(message(message)).append(" in");
            round.framesOf(message, frame -> text.append(' ').append(frame));
            text.append(" completed by");
            round.framesOf(message.frameNumber(), frame -> text.append(' ').append(frame));
            TracedConnection connection = round.connectionOf(message);
            if (connection != null) {
                if (!connections.contains(connection)) {
                    connections.add(connection);
                }
                text.append(" on ").append(connections.indexOf(connection));
            }
            alone.add(text.toString());
        }
    }
}
