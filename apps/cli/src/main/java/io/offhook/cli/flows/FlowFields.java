package io.offhook.cli.flows;

import io.offhook.flow.table.Flow;
import io.offhook.flow.table.FlowKey;
import io.offhook.flow.table.FlowPath;
import io.offhook.flow.tcp.TcpFlow;
import io.offhook.flow.tcp.TcpRoundTrip;
import io.offhook.flow.tcp.TcpSign;
import io.offhook.report.fields.FieldWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The fields of a flow, as docs/OUTPUT.md lists them. */
public final class FlowFields {
    /** The columns of CSV. */
    public static final List<String> COLUMNS = columns();

    private static final String FLAGS = "FSRPAUEC";

    private FlowFields() {}

    private static List<String> columns() {
        List<String> columns = new ArrayList<>(List.of(
                "protocol",
                "source",
                "destination",
                "icmpType",
                "icmpCode",
                "path",
                "communityId",
                "firstFrame",
                "lastFrame",
                "firstAt",
                "lastAt",
                "durationMs",
                "packets",
                "bytes",
                "forward.packets",
                "forward.bytes",
                "reverse.packets",
                "reverse.bytes",
                "fragments",
                "endedBy",
                "tcp.state",
                "tcp.handshakeMs"));
        for (String side : List.of("tcp.forward.", "tcp.reverse.")) {
            columns.add(side + "flags");
            columns.add(side + "payloadBytes");
            for (String method : List.of("roundTrip.", "timestampRoundTrip.")) {
                for (String figure : List.of("samples", "minMs", "meanMs", "maxMs", "smoothedMs")) {
                    columns.add(side + method + figure);
                }
            }
            for (TcpSign sign : TcpSign.values()) {
                columns.add(side + sign.label());
            }
        }
        return List.copyOf(columns);
    }

    static boolean isIcmp(FlowKey key) {
        return key.protocol() == 1 || key.protocol() == 58;
    }

    /** Writes all fields into the open object. */
    static void write(FieldWriter out, FlowsReport.Line line, String communityId) {
        Flow flow = line.flow();
        FlowKey key = flow.key();
        out.field("protocol", key.protocolName())
                .field("source", FlowsCommand.endText(flow, key.source()))
                .field("destination", FlowsCommand.endText(flow, key.destination()));
        icmp(out, key);
        out.array("path");
        for (FlowPath.Step step : key.path().steps()) {
            out.element(step.toString());
        }
        out.end();
        out.field("communityId", communityId)
                .field("firstFrame", flow.firstFrameNumber())
                .field("lastFrame", flow.lastFrameNumber())
                .time("firstAt", flow.earliestNs())
                .time("lastAt", flow.latestNs())
                .milliseconds("durationMs", flow.latestNs() - flow.earliestNs())
                .field("packets", flow.packets())
                .field("bytes", flow.bytes());
        out.object("forward")
                .field("packets", flow.forwardPackets())
                .field("bytes", flow.forwardBytes())
                .end();
        out.object("reverse")
                .field("packets", flow.reversePackets())
                .field("bytes", flow.reverseBytes())
                .end();
        out.field("fragments", flow.fragments()).field("endedBy", endedBy(line));
        TcpFlow tcp = flow.tcp();
        if (tcp == null) {
            out.noObject("tcp");
        } else {
            tcp(out, tcp);
        }
    }

    /** "idle", "hard timeout", "ports reused"... */
    static String endedBy(FlowsReport.Line line) {
        return switch (line.reason()) {
            case IDLE -> "idle timeout";
            case HARD_TIMEOUT -> "hard timeout";
            case REUSED -> "ports reused";
            case EVICTED -> "evicted";
            case CAPTURE_END -> "capture end";
        };
    }

    private static void icmp(FieldWriter out, FlowKey key) {
        if (!isIcmp(key) || !key.hasPorts()) {
            out.nullField("icmpType").nullField("icmpCode");
            return;
        }
        out.field("icmpType", key.source().port());
        if (key.isOneWay()) {
            out.field("icmpCode", key.destination().port());
        } else {
            out.nullField("icmpCode");
        }
    }

    private static void tcp(FieldWriter out, TcpFlow tcp) {
        out.object("tcp").field("state", tcp.state().label());
        if (tcp.isHandshakeSeen()) {
            out.milliseconds("handshakeMs", tcp.handshakeRoundTripNs());
        } else {
            out.nullField("handshakeMs");
        }
        side(out, "forward", tcp, true);
        side(out, "reverse", tcp, false);
        out.end();
    }

    private static void side(FieldWriter out, String name, TcpFlow tcp, boolean isForward) {
        out.object(name).field("flags", flags(tcp.flags(isForward))).field("payloadBytes", tcp.payloadBytes(isForward));
        roundTrip(out, "roundTrip", isForward ? tcp.roundTripToDestination() : tcp.roundTripToSource());
        roundTrip(
                out,
                "timestampRoundTrip",
                isForward ? tcp.timestampRoundTripToDestination() : tcp.timestampRoundTripToSource());
        for (TcpSign sign : TcpSign.values()) {
            out.field(sign.label(), tcp.count(sign, isForward));
        }
        out.end();
    }

    private static void roundTrip(FieldWriter out, String name, TcpRoundTrip roundTrip) {
        out.object(name).field("samples", roundTrip.samples());
        if (roundTrip.samples() == 0) {
            out.nullField("minMs").nullField("meanMs").nullField("maxMs").nullField("smoothedMs");
        } else {
            out.milliseconds("minMs", roundTrip.minNs())
                    .milliseconds("meanMs", roundTrip.meanNs())
                    .milliseconds("maxMs", roundTrip.maxNs())
                    .milliseconds("smoothedMs", roundTrip.smoothedNs());
        }
        out.end();
    }

    /** "FSPA": the first letters of the flags, in the order of their bits. */
    private static String flags(int flags) {
        StringBuilder text = new StringBuilder();
        for (int bit = 0; bit < FLAGS.length(); bit++) {
            if ((flags >>> bit & 1) != 0) {
                text.append(FLAGS.charAt(bit));
            }
        }
        return text.toString().toUpperCase(Locale.ROOT);
    }
}
