package io.offhook.hep;

import io.offhook.packet.Endpoint;
import io.offhook.packet.IpAddress;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/**
 * What an agent measured of a media stream, from its JSON: a report of RTP, full or short (payload types 34 and 35), or one
 * of a session border controller, with both streams of a call (38). NaN stands for figures that it does not have.
 *
 * @param callId the Call-ID that the agent assigns it to; null if it names none
 * @param source the sender of the stream; null if it names none
 * @param destination the receiver of the stream; null if it names none
 * @param figures what was measured
 */
public record HepQuality(
        @Nullable String callId,
        @Nullable Endpoint source,
        @Nullable Endpoint destination,
        Figures figures) {
    /**
     * What was measured of a stream; NaN for what was not.
     *
     * @param packets received
     * @param lost expected and not received
     * @param jitterMs interarrival jitter
     * @param roundTripMs from the sender to the receiver and back
     * @param rFactor 0 to 100
     * @param mos 1 to 5
     */
    public record Figures(
            double packets, double lost, double jitterMs, double roundTripMs, double rFactor, double mos) {}

    private static final double MOST_MOS = 5;
    private static final double MOST_R = 120;
    /** Controllers send hundredths. */
    private static final double SCALE = 100;

    private static final double ROUNDING = 1000;

    /**
     * Reads a report.
     *
     * @return one for each stream; empty if the bytes are no JSON object with figures
     */
    public static List<HepQuality> read(byte[] json, int offset, int length) {
        JsonTree tree = JsonTree.read(json, offset, length);
        if (tree == null) {
            return List.of();
        }
        List<HepQuality> found = new ArrayList<>(2);
        if (tree.has("INC_RTP_PK") || tree.has("INC_MOS") || tree.has("OUT_RTP_PK") || tree.has("OUT_MOS")) {
            ofController(tree, "INC", "CALLER", found);
            ofController(tree, "OUT", "CALLEE", found);
        } else {
            add(
                    new HepQuality(
                            first(tree.text("RTP_SIP_CALL_ID"), tree.text("CORRELATION_ID")),
                            endpoint(tree, "SRC_IP", "SRC_PORT"),
                            endpoint(tree, "DST_IP", "DST_PORT"),
                            new Figures(
                                    tree.number("TOTAL_PK"),
                                    tree.number("PACKET_LOSS"),
                                    tree.number("MEAN_JITTER", "JITTER"),
                                    tree.number("ROUND_TRIP", "RTT"),
                                    scaled(tree.number("RFACTOR", "MEAN_RFACTOR"), MOST_R),
                                    scaled(tree.number("MEAN_MOS", "MOS"), MOST_MOS))),
                    found);
        }
        return found;
    }

    /** The same as JSON, in the form of a full report (payload type 34); figures that are not known are left out. */
    public String json() {
        StringWriter json = new StringWriter();
        try (JsonGenerator out = JsonTree.factory().createGenerator(ObjectWriteContext.empty(), json)) {
            out.writeStartObject();
            if (callId != null) {
                out.writeStringProperty("CORRELATION_ID", callId);
                out.writeStringProperty("RTP_SIP_CALL_ID", callId);
            }
            endpoint(out, source, "SRC_IP", "SRC_PORT");
            endpoint(out, destination, "DST_IP", "DST_PORT");
            whole(out, "TOTAL_PK", figures.packets);
            whole(out, "EXPECTED_PK", figures.packets + figures.lost);
            whole(out, "PACKET_LOSS", figures.lost);
            number(out, "JITTER", figures.jitterMs);
            number(out, "MEAN_JITTER", figures.jitterMs);
            number(out, "ROUND_TRIP", figures.roundTripMs);
            number(out, "RFACTOR", figures.rFactor);
            number(out, "MEAN_RFACTOR", figures.rFactor);
            number(out, "MOS", figures.mos);
            number(out, "MEAN_MOS", figures.mos);
            out.writeEndObject();
        }
        return json.toString();
    }

    private static void endpoint(JsonGenerator out, @Nullable Endpoint endpoint, String address, String port) {
        if (endpoint != null) {
            out.writeStringProperty(address, endpoint.address().toString());
            out.writeNumberProperty(port, endpoint.port());
        }
    }

    private static void whole(JsonGenerator out, String name, double value) {
        if (!Double.isNaN(value)) {
            out.writeNumberProperty(name, Math.round(value));
        }
    }

    private static void number(JsonGenerator out, String name, double value) {
        if (!Double.isNaN(value)) {
            out.writeNumberProperty(name, Math.round(value * ROUNDING) / ROUNDING);
        }
    }

    private static void ofController(JsonTree tree, String way, String side, List<HepQuality> to) {
        add(
                new HepQuality(
                        first(tree.text(way + "_ID"), tree.text("INC_ID")),
                        endpoint(tree, side + "_SRC_IP", side + "_SRC_PORT"),
                        endpoint(tree, side + "_DST_IP", side + "_DST_PORT"),
                        new Figures(
                                tree.number(way + "_RTP_PK"),
                                tree.number(way + "_RTP_PK_LOSS"),
                                tree.number(way + "_RTP_AVG_JITTER"),
                                tree.number(way + "_RTCP_AVG_LAT"),
                                scaled(tree.number(way + "_RVAL"), MOST_R),
                                scaled(tree.number(way + "_MOS"), MOST_MOS))),
                to);
    }

    private static void add(HepQuality quality, List<HepQuality> to) {
        if (!Double.isNaN(quality.figures.packets)
                || !Double.isNaN(quality.figures.mos)
                || !Double.isNaN(quality.figures.jitterMs)) {
            to.add(quality);
        }
    }

    private static @Nullable String first(@Nullable String one, @Nullable String other) {
        return one == null || one.isEmpty() ? (other == null || other.isEmpty() ? null : other) : one;
    }

    private static double scaled(double value, double most) {
        double unscaled = value > most ? value / SCALE : value;
        return unscaled >= 0 && unscaled <= most ? unscaled : Double.NaN;
    }

    private static @Nullable Endpoint endpoint(JsonTree tree, String address, String port) {
        String text = tree.text(address);
        IpAddress parsed = text == null ? null : IpAddress.parse(text);
        return parsed == null ? null : Endpoint.of(parsed, (int) tree.whole(port, 0, 65_535));
    }
}
