package io.offhook.store;

import io.offhook.calls.FarEnd;
import io.offhook.calls.StreamReport;
import io.offhook.report.StreamFields;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.quality.Quality;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table of streams.
 *
 * @param id identifies the stream
 * @param call the call's id
 * @param callNs when the call was first seen
 */
record StreamRow(long id, long call, long callNs, StreamReport stream) {
    static final Table<StreamRow> TABLE = new Table<>(
            "streams",
            "An RTP stream: one source, one destination, one SSRC.",
            new Table.Key("call", "call_at"),
            List.of(
                    Column.whole("id", "Identifies the stream in `stream_intervals`.", StreamRow::id),
                    Column.whole("call", "`id` of the call.", StreamRow::call),
                    Column.text("call_id", "The Call-ID of the leg to which it belongs.", row -> row.stream.callId()),
                    Column.text(
                            "ssrc", "Synchronization source, as `0x1A2B3C4D`.", row -> StreamFields.ssrc(row.stream)),
                    Column.text(
                            "direction", "`from caller`, `from callee`.", row -> StreamFields.direction(row.stream)),
                    Column.text(
                            "source",
                            "Where it comes from, as captured.",
                            row -> row.stream.source().toString()),
                    Column.text(
                            "destination",
                            "Where it goes to.",
                            row -> row.stream.destination().toString()),
                    Column.text("media_type", "`audio`, `video`, by SDP.", row -> row.stream.mediaType()),
                    Column.text("codec", "Encoding name of most of its packets.", row -> row.stream.codec()),
                    Column.count(
                            "clock_rate",
                            "Hz.",
                            row -> row.stream.clockRate() > 0 ? row.stream.clockRate() : Column.NONE),
                    Column.count(
                            "payload_type",
                            "Of most of its packets.",
                            row -> row.stream.payloadType() >= 0 ? row.stream.payloadType() : Column.NONE),
                    Column.flag("encrypted", "SRTP by its SDP.", row -> row.stream.isEncrypted()),
                    Column.time(
                            "first_at",
                            "Its first packet.",
                            row -> row.stream.statistics().firstNs()),
                    Column.time(
                            "last_at",
                            "Its last packet.",
                            row -> row.stream.statistics().lastNs()),
                    whole("packets", "Captured.", RtpStream::packets),
                    whole("payload_bytes", "Bytes of payload in them.", RtpStream::payloadOctets),
                    whole("expected", "Sequence numbers from the lowest to the highest.", RtpStream::expected),
                    whole("lost", "Of these, not captured.", RtpStream::lost),
                    real("lost_percent", "`lost` of `expected`, 0 to 100.", RtpStream::lostPercent),
                    whole("duplicates", "Packets whose number was captured before.", RtpStream::duplicates),
                    whole("reordered", "Packets that arrived after one with a higher number.", RtpStream::reordered),
                    whole("late", "So late that it is unknown whether they are new.", RtpStream::late),
                    whole(
                            "loss_bursts",
                            "Runs of lost packets.",
                            statistics -> statistics.lossBursts().bursts()),
                    whole(
                            "longest_burst",
                            "Packets in the longest of them.",
                            statistics -> statistics.lossBursts().longest()),
                    real("burst_ratio", "BurstR of ITU-T G.107.", RtpStream::burstRatio),
                    jitter(
                            "mean_jitter_ms",
                            "Interarrival jitter (RFC 3550), mean over all packets, ms.",
                            RtpStream::meanJitterMs),
                    jitter("max_jitter_ms", "Its highest value, ms.", RtpStream::maxJitterMs),
                    real("max_delta_ms", "Longest time between consecutive packets, ms.", RtpStream::maxDeltaMs),
                    Column.real(
                            "discard_percent",
                            "What a jitter buffer threw away, of `expected`.",
                            row -> row.stream.playout() == null
                                    ? Double.NaN
                                    : row.stream.playout().discardPercent()),
                    Column.real(
                            "mos",
                            "As it was played, else by the loss of the network alone, 1 to 5.",
                            row -> row.stream.quality() == null
                                    ? Double.NaN
                                    : row.stream.quality().mos()),
                    Column.text(
                            "mos_scale",
                            "Its scale: `narrowband`, `wideband`, `fullband`.",
                            row -> row.stream.quality() == null
                                    ? null
                                    : row.stream.quality().scale().label()),
                    Column.flag(
                            "mos_trusted",
                            "False if the capture itself lost packets, or there is no MOS.",
                            row -> isTrusted(row.stream.quality())),
                    Column.real(
                            "min_mos",
                            "The lowest of an interval.",
                            row -> row.stream.overTime() == null
                                    ? Double.NaN
                                    : row.stream.overTime().minMos()),
                    farEnd(
                            "far_end_lost_percent",
                            "What the receiver reported by RTCP, mean, 0 to 100.",
                            FarEnd::lostPercent),
                    farEnd("far_end_max_jitter_ms", "The highest jitter it reported, ms.", FarEnd::maxJitterMs),
                    farEnd("far_end_round_trip_ms", "Round trip by RTCP, ms.", FarEnd::roundTripMs),
                    Column.time("call_at", "`first_seen_at` of the call.", StreamRow::callNs)));

    private static boolean isTrusted(@Nullable Quality quality) {
        return quality != null && quality.trusted();
    }

    private static Column<StreamRow> whole(String name, String meaning, ToLongFunction<RtpStream> value) {
        return Column.whole(name, meaning, row -> value.applyAsLong(row.stream.statistics()));
    }

    private static Column<StreamRow> real(String name, String meaning, ToDoubleFunction<RtpStream> value) {
        return Column.real(name, meaning, row -> value.applyAsDouble(row.stream.statistics()));
    }

    private static Column<StreamRow> jitter(String name, String meaning, ToDoubleFunction<RtpStream> value) {
        return real(
                name, meaning, statistics -> statistics.isJitterKnown() ? value.applyAsDouble(statistics) : Double.NaN);
    }

    private static Column<StreamRow> farEnd(String name, String meaning, ToDoubleFunction<FarEnd> value) {
        return Column.real(name, meaning, row -> {
            FarEnd farEnd = row.stream.farEnd();
            return farEnd == null ? Double.NaN : value.applyAsDouble(farEnd);
        });
    }
}
