package io.offhook.cli.where;

import io.offhook.calls.points.LostMessage;
import io.offhook.calls.points.PointsReport;
import io.offhook.calls.points.StreamWay;
import io.offhook.calls.relay.SegmentFigures;
import io.offhook.pcap.CaptureLoss;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the figures mean, in sentences. */
final class WhereSentences {
    private final WhereResult result;
    private final PointsReport report;

    WhereSentences(WhereResult result) {
        this.result = result;
        report = result.report();
    }

    /** "Call 3: 31 of 1,500 packets (2.1 %) of the caller's audio were lost between A and B.", and so on. */
    List<String> losses() {
        List<String> sentences = new ArrayList<>();
        for (StreamWay way : result.streams()) {
            String subject = way.callNumber() == 0 ? "" : "Call " + way.callNumber() + ": ";
            for (String part : parts(way)) {
                String sentence = subject + part + ".";
                sentences.add(Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1));
            }
        }
        return sentences;
    }

    private List<String> parts(StreamWay way) {
        String media = WhereResult.media(way);
        String first = result.name(way.stops().getFirst());
        switch (way.fate().kind()) {
            case NOT_SEEN -> {
                return List.of(media + " (" + packets(way.stream().statistics().distinct()) + " at " + first
                        + ") was not seen at " + result.name(way.fate().point())
                        + ", which saw the other side's: lost between them, or it took another way");
            }
            case REWRITTEN -> {
                return List.of(media + " has other SSRCs, numbers or timestamps at " + first + " than at "
                        + result.name(way.fate().point())
                        + ", and no payloads by which it could be found: a host between rewrites it");
            }
            case COMPARED -> {}
        }
        List<String> parts = new ArrayList<>();
        if (way.lostBeforeBoth() > 0) {
            boolean isOrdered = way.segments().getFirst().isOrdered();
            parts.add(lost(way.lostBeforeBoth(), media) + " before "
                    + (isOrdered
                            ? first
                            : first + " and " + result.name(way.stops().get(1))));
        }
        for (int i = 0; i < way.segments().size(); i++) {
            segment(way, i, media, parts);
        }
        StreamWay.After after = way.after();
        if (after != null && after.lost() > 0) {
            parts.add(lost(after.lost(), media) + " after "
                    + result.name(way.stops().getLast()) + ", by the receiver's RTCP");
        }
        return parts;
    }

    private void segment(StreamWay way, int segment, String media, List<String> parts) {
        SegmentFigures figures = way.segments().get(segment).figures();
        String from = result.name(way.stops().get(segment));
        String to = result.name(way.stops().get(segment + 1));
        boolean isOrdered = way.segments().get(segment).isOrdered();
        if (figures.lost() > 0) {
            String share = Decimals.grouped(figures.lost()) + " of " + packets(figures.present()) + " ("
                    + Decimals.text(figures.lossPercent(), 1) + " %) of " + media;
            parts.add(share
                    + (isOrdered ? " were lost between " + from + " and " + to : " at " + from + " are not at " + to));
        }
        if (figures.extra() > 0) {
            parts.add(packets(figures.extra()) + " of " + media + " at " + to + " are not at " + from
                    + (isOrdered
                            ? ", which comes first: its capture lost packets, and losses may be those of captures"
                            : ""));
        }
    }

    private static String lost(long count, String media) {
        return packets(count) + " of " + media + (count == 1 ? " was" : " were") + " lost";
    }

    private static String packets(long count) {
        return Words.count(count, "packet");
    }

    /** What a missing message means, in a few words. */
    static String meaning(LostMessage message) {
        String part = message.missing() < message.transmissions()
                ? message.missing() + " of " + message.transmissions() + " "
                : "";
        return switch (message.way()) {
            case LOST -> part + "lost between";
            case NOT_CAPTURED -> part + "not captured";
            case UNKNOWN -> part + "missing";
        };
    }

    /** What was compared, and what was not. */
    List<String> summary() {
        List<String> sentences = new ArrayList<>();
        PointsReport.Counts counts = report.counts();
        if (!report.isShared()) {
            sentences.add(
                    "The captures share nothing: no RTP stream, by SSRC, numbers and timestamps or by payloads, and no SIP"
                            + " message.");
        } else {
            sentences.add(shared(counts));
        }
        long lost = report.streams().stream()
                .mapToLong(way -> way.lostBeforeBoth() + way.lostBetween())
                .sum();
        if (report.isShared() && lost == 0 && report.messages().isEmpty() && losses().isEmpty()) {
            sentences.add("Nothing was lost before or between the points.");
        }
        sentences.addAll(totals());
        for (PointFile file : result.files()) {
            long dropped = file.result().capture().losses().stream()
                    .mapToLong(CaptureLoss::packets)
                    .sum();
            if (dropped > 0) {
                sentences.add("The capture at " + file.name() + " lost " + packets(dropped)
                        + " itself: what it lacks may have passed nevertheless.");
            }
        }
        if (counts.mediaElsewhere() > 0) {
            sentences.add(Words.count(counts.mediaElsewhere(), "stream")
                    + " of these calls was seen by one point only: media that takes another way, or was not captured.");
        }
        if (report.streams().stream().flatMap(way -> way.stops().stream()).anyMatch(stop -> stop.hop() > 0)) {
            sentences.add("A1, A2 and so on are hops that one capture has of a stream, in the order of its way.");
        }
        if (counts.otherHops() > 0) {
            sentences.add(Words.count(counts.otherHops(), "stream")
                    + " on further hops in the same capture could not be compared: the packets are others.");
        }
        if (counts.streamsLeftOut() + counts.messagesLeftOut() > 0) {
            sentences.add("Beyond the limits: " + Words.count(counts.streamsLeftOut(), "stream") + " and "
                    + Words.count(counts.messagesLeftOut(), "SIP message") + " were not compared.");
        }
        return sentences;
    }

    /** "From A to B, 31 of 1,500 packets (2.1 %) of 4 RTP streams were lost." */
    private List<String> totals() {
        record Pair(String first, String second) {}
        record Total(long streams, long present, long lost) {}
        Map<Pair, Total> totals = new LinkedHashMap<>();
        for (StreamWay way : result.streams()) {
            for (int i = 0; i < way.segments().size(); i++) {
                SegmentFigures figures = way.segments().get(i).figures();
                Pair pair = new Pair(
                        result.name(way.stops().get(i)), result.name(way.stops().get(i + 1)));
                if (way.segments().get(i).isOrdered()) {
                    totals.merge(
                            pair,
                            new Total(1, figures.present(), figures.lost()),
                            (a, b) -> new Total(a.streams + b.streams, a.present + b.present, a.lost + b.lost));
                }
            }
        }
        List<String> sentences = new ArrayList<>();
        totals.forEach((pair, total) -> {
            if (total.streams > 1 && total.lost > 0) {
                sentences.add("From " + pair.first + " to " + pair.second + ", "
                        + Decimals.grouped(total.lost) + " of " + packets(total.present) + " ("
                        + Decimals.text(100.0 * total.lost / total.present, 1) + " %) of "
                        + Words.count(total.streams, "RTP stream") + " were lost.");
            }
        });
        return sentences;
    }

    private String shared(PointsReport.Counts counts) {
        long calls =
                report.calls().stream().filter(call -> call.points().size() > 1).count();
        long streams = report.streams().stream()
                .filter(way -> way.fate().kind() == StreamWay.Kind.COMPARED)
                .count();
        List<String> only = new ArrayList<>();
        for (int i = 0; i < result.files().size(); i++) {
            int point = i;
            long count = report.calls().stream()
                    .filter(call -> call.points().equals(List.of(point)))
                    .count();
            if (count > 0) {
                only.add(Words.count(count, "call") + " at " + result.name(i) + " only");
            }
        }
        return Words.count(calls, "call") + ", " + Words.count(streams, "RTP stream") + " and "
                + Words.count(counts.messagesShared(), "SIP message") + " were seen at several points"
                + (only.isEmpty() ? "" : "; " + String.join(", ", only)) + ".";
    }
}
