package io.offhook.calls;

import io.offhook.calls.relay.StreamPassage;
import io.offhook.calls.relay.StreamPoint;
import io.offhook.calls.sdp.MediaLine;
import io.offhook.rtp.Codec;
import io.offhook.rtp.PacketLog;
import io.offhook.rtp.PayloadCount;
import io.offhook.rtp.PayloadType;
import io.offhook.rtp.ReceptionSummary;
import io.offhook.rtp.RtcpReports;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.UncapturedPackets;
import io.offhook.rtp.quality.EModel;
import io.offhook.rtp.quality.MosScale;
import io.offhook.rtp.quality.Quality;
import io.offhook.rtp.quality.Rating;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Makes the report of a stream from its statistics, the SDP of the call that it was bound to, and what RTCP reports of
 * it.
 */
final class StreamReporter {
    private final CallAssembly assembly;
    /** The logs of packets, where they were asked for. */
    private final IdentityHashMap<RtpStream, PacketLog> logs = new IdentityHashMap<>(0);

    StreamReporter(CallAssembly assembly) {
        this.assembly = assembly;
    }

    /** What is judged by the figures of streams. */
    StreamProblems problems() {
        return new StreamProblems(assembly.limits());
    }

    /**
     * Makes the report of a stream.
     *
     * @param bond what binds it to a call; null if it belongs to none
     */
    StreamReport report(MediaStream stream, StreamBinder.@Nullable Bond bond) {
        PacketLog log = stream.log();
        if (log != null) {
            logs.put(stream.statistics(), log);
        }
        PayloadCount main = stream.statistics().mainPayload();
        int payloadType = main == null ? -1 : main.payloadType();
        Codec codec = main == null ? null : main.codec();
        MediaBinding described = describing(bond);
        MediaLine media = described == null ? null : described.lineOf(payloadType);
        RtcpReports reports = rtcp(stream, bond);
        long uncaptured =
                UncapturedPackets.of(stream.statistics(), reports == null ? null : reports.about(stream.ssrc()));
        boolean isCaptured = !problems().isMuch(uncaptured, stream.statistics());
        StreamRater rater = rater(stream, reports, isCaptured, bond != null && mayPause(bond, payloadType));
        Rating rating = rater.network();
        Rating playoutRating = rater.played();
        MosScale scale = (playoutRating == null ? rating : playoutRating) instanceof Quality quality
                ? quality.scale()
                : MosScale.NARROWBAND;
        List<RatedInterval> intervals = rater.intervals(reports == null ? null : reports.about(stream.ssrc()));
        return new StreamReport(
                stream.ssrc(),
                bond == null ? null : bond.call().reportedCallId(),
                bond == null ? null : bond.from(),
                stream.source(),
                stream.destination(),
                codec == null ? null : codec.encodingName(),
                codec == null ? 0 : codec.clockRate(),
                payloadType,
                media != null ? media.type() : PayloadType.isStaticVideo(payloadType) ? "video" : null,
                described == null ? -1 : described.tagOctets(payloadType),
                stream.firstFrame(),
                stream.statistics(),
                stream.wireshark(),
                new StreamReport.Ratings(
                        rating,
                        rater.playout(),
                        playoutRating,
                        QualityOverTime.of(intervals, scale),
                        assembly.media().intervals() ? intervals : List.of()),
                farEnd(stream, reports, codec, uncaptured),
                reports == null ? null : reports.participant(stream.ssrc()),
                StreamReport.Keys.NONE);
    }

    /** Whether the capture lost nothing while a stream ran. */
    boolean isTrusted(RtpStream stream) {
        return assembly.isTrusted(stream);
    }

    /** Whether packets of a stream were logged, or sampled. */
    boolean isLogged(StreamReport stream) {
        return !logs.isEmpty() && logs.containsKey(stream.statistics());
    }

    /** A stream as it was captured at its point. */
    StreamPoint point(StreamReport stream) {
        return stream.point(isTrusted(stream.statistics()), logs.get(stream.statistics()));
    }

    /** The ways of a call's streams from one point of capture to the next. */
    List<StreamPassage> passages(List<StreamReport> streams) {
        if (!repeatsSsrc(streams) && !areLogged(streams)) {
            return List.of();
        }
        List<StreamPoint> points = new ArrayList<>(streams.size());
        for (StreamReport stream : streams) {
            points.add(point(stream));
        }
        return StreamPassage.of(points);
    }

    /** Whether several of the streams were logged, so that their payloads can be compared. */
    private boolean areLogged(List<StreamReport> streams) {
        int logged = 0;
        for (StreamReport stream : streams) {
            logged += isLogged(stream) ? 1 : 0;
        }
        return logged > 1;
    }

    /** Whether two of the first streams have one SSRC; mostly there are two streams, and they have not. */
    private static boolean repeatsSsrc(List<StreamReport> streams) {
        int count = Math.min(streams.size(), StreamPassage.MOST_POINTS);
        for (int i = 1; i < count; i++) {
            for (int j = 0; j < i; j++) {
                if (streams.get(i).ssrc() == streams.get(j).ssrc()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** What RTCP reports of a stream; null if nothing. */
    private @Nullable RtcpReports rtcp(MediaStream stream, StreamBinder.@Nullable Bond bond) {
        MediaBinding sender = bond == null ? null : bond.sender();
        MediaBinding receiver = bond == null ? null : bond.receiver();
        return assembly.rtcpTable()
                .find(
                        stream.ssrc(),
                        stream.source(),
                        stream.destination(),
                        sender == null ? null : sender.rtcpEndpoint(),
                        receiver == null ? null : receiver.rtcpEndpoint());
    }

    private static @Nullable FarEnd farEnd(
            MediaStream stream, @Nullable RtcpReports reports, @Nullable Codec codec, long uncaptured) {
        ReceptionSummary summary = reports == null ? null : reports.about(stream.ssrc());
        return reports == null || summary == null
                ? null
                : FarEnd.of(
                        summary, reports.roundTripMs(stream.ssrc()), codec == null ? 0 : codec.clockRate(), uncaptured);
    }

    /** Whether the sender may suppress silence: as part of a codec, unless one side refuses it (RFC 7261, 3). */
    private static boolean mayPause(StreamBinder.Bond bond, int payloadType) {
        MediaBinding receiver = bond.receiver();
        MediaBinding sender = bond.sender();
        return (receiver != null || sender != null)
                && (receiver == null || !receiver.lineOf(payloadType).isSpeechOnly())
                && (sender == null || !sender.lineOf(payloadType).isSpeechOnly());
    }

    /** A rating is trusted if the capture lost nothing while the stream ran, or next to nothing by the receiver's reports. */
    private StreamRater rater(MediaStream stream, @Nullable RtcpReports reports, boolean isCaptured, boolean mayPause) {
        EModel.Conditions conditions = EModel.Conditions.DEFAULT
                .withCaptureComplete(isCaptured && assembly.isTrusted(stream.statistics()))
                .withSilenceSuppression(mayPause)
                .withSettings(assembly.media().quality());
        OptionalDouble roundTripMs = reports == null ? OptionalDouble.empty() : reports.roundTripMs(stream.ssrc());
        return new StreamRater(stream.statistics(), conditions, roundTripMs.orElse(Double.NaN));
    }

    /**
     * Sets the codecs of a stream by the SDP of its calls, which may have come after its last packet, or so late that the
     * SDP of another call was taken for it.
     */
    static void setCodecs(MediaStream stream, List<StreamBinder.Bond> bonds) {
        if (bonds.isEmpty()) {
            return;
        }
        boolean mistaken = stream.isOfAnotherCall(bonds);
        for (PayloadCount payload : stream.statistics().payloads()) {
            Codec codec = payload.codec() == null || mistaken ? codecOf(bonds.getFirst(), payload.payloadType()) : null;
            if (codec != null && payload.codec() == null) {
                stream.statistics().codec(payload.payloadType(), codec);
            } else if (codec != null) {
                stream.statistics().correctCodec(payload.payloadType(), codec);
            }
        }
    }

    private static @Nullable Codec codecOf(StreamBinder.Bond bond, int payloadType) {
        MediaBinding receiver = bond.receiver();
        MediaBinding sender = bond.sender();
        if (receiver == null) {
            return sender == null ? null : sender.codecSent(payloadType);
        }
        Codec codec = receiver.codec(payloadType);
        return codec == null && sender != null ? sender.codec(payloadType) : codec;
    }

    /** Who said what the payload types of a stream mean: its receiver, otherwise its sender; null if nobody did. */
    private static @Nullable MediaBinding describing(StreamBinder.@Nullable Bond bond) {
        return bond == null ? null : bond.receiver() != null ? bond.receiver() : bond.sender();
    }
}
