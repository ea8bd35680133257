package io.offhook.cli.ladder;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.SipListener.Copy;
import io.offhook.cli.calls.CallsTable;
import io.offhook.cli.calls.StreamLines;
import io.offhook.cli.messages.KeptMessage;
import io.offhook.cli.messages.MediaSummary;
import io.offhook.cli.messages.MessageArrow;
import io.offhook.cli.terminal.Style;
import io.offhook.cli.terminal.Text;
import io.offhook.packet.SafeText;
import io.offhook.report.ProblemText;
import io.offhook.report.StreamFields;
import io.offhook.report.text.Decimals;
import io.offhook.report.text.Words;
import io.offhook.rtp.RtpStream;
import io.offhook.rtp.TelephoneEvent;
import io.offhook.rtp.TelephoneEvents;
import io.offhook.rtp.quality.Quality;
import io.offhook.rtp.tones.AudioKeys;
import io.offhook.rtp.tones.ToneKey;
import io.offhook.sip.SessionDescription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the ladder of a call, or of several: messages in the order of capture, with media, key presses and errors in between. Of
 * several, what is over an arrow begins with the place of the call.
 */
final class LadderBuilder {

    /** The part of a message that is shown below its arrow. */
    enum Detail {
        /** One line per media description. */
        SUMMARY,
        /** The whole session description. */
        SDP,
        /** The whole message. */
        MESSAGE
    }

    private final List<CallReport> calls;
    private final List<Media> media = new ArrayList<>();
    private final List<KeptMessage> messages;
    private final Detail detail;
    private final LadderColumns columns;

    /** A stream of a call, by its place. */
    private record Media(int call, StreamReport stream) {}

    private LadderBuilder(List<CallReport> calls, List<KeptMessage> messages, LadderColumns columns, Detail detail) {
        this.calls = calls;
        for (int i = 0; i < calls.size(); i++) {
            for (StreamReport stream : calls.get(i).streams()) {
                media.add(new Media(i, stream));
            }
        }
        this.messages = messages;
        this.detail = detail;
        this.columns = columns;
    }

    static Ladder build(List<CallReport> calls, List<KeptMessage> messages, LadderColumns columns, Detail detail) {
        return new LadderBuilder(calls, messages, columns, detail).build();
    }

    private Ladder build() {
        List<LadderRow> rows = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            rows.add(message(messages.get(i), i));
        }
        media.forEach(stream -> rows.add(stream(stream)));
        for (int i = 0; i < calls.size(); i++) {
            for (IcmpEvent error : calls.get(i).icmpErrors()) {
                rows.add(error(error, place(i)));
            }
        }
        rows.sort((a, b) -> Long.compare(a.frame(), b.frame()));
        insertKeys(rows);
        return new Ladder(columns.names(), rows);
    }

    /** What a label begins with: "2: " for the second call of several. */
    private String place(int call) {
        return calls.size() < 2 || call < 0 ? "" : call + 1 + ": ";
    }

    private int callOf(KeptMessage message) {
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).hasCallId(message.callId())) {
                return i;
            }
        }
        return -1;
    }

    private LadderRow message(KeptMessage message, int index) {
        boolean isFirst = message.copy() == Copy.FIRST;
        return new LadderRow(
                message.frameNumber(),
                message.timestampNs(),
                columns.ofSignalling(message.source()),
                columns.ofSignalling(message.destination()),
                false,
                place(callOf(message)) + MessageArrow.label(message),
                isFirst ? MessageArrow.style(message) : Style.FAINT,
                isFirst || detail == Detail.MESSAGE ? notes(message) : List.of(),
                index);
    }

    private List<String> notes(KeptMessage message) {
        if (detail == Detail.MESSAGE) {
            return safe(new String(message.bytes(), StandardCharsets.UTF_8));
        }
        List<String> notes = new ArrayList<>();
        if (!message.reason().isEmpty()) {
            notes.add("Reason: " + SafeText.safe(message.reason()));
        }
        SessionDescription sdp = message.sdp();
        if (sdp == null) {
            body(message, notes);
        } else if (detail == Detail.SDP) {
            notes.addAll(safe(sdpText(message)));
        } else {
            MediaSummary.lines(sdp).forEach(line -> notes.add(SafeText.safe(line)));
        }
        return notes;
    }

    private static String sdpText(KeptMessage message) {
        String text = message.sdpText();
        return text == null ? "" : text;
    }

    private static List<String> safe(String text) {
        return text.lines().map(SafeText::safe).toList();
    }

    /** Adds short bodies, such as key presses in INFO, in full. */
    private static void body(KeptMessage message, List<String> notes) {
        String body = message.bodyText().strip();
        if (body.isEmpty()) {
            return;
        }
        String type = SafeText.safe(message.contentType());
        boolean isShort = body.length() <= 60 && !message.contentType().contains("xml");
        notes.add(type
                + (isShort
                        ? ": " + SafeText.safe(body.replaceAll("\\R", " "))
                        : ", " + message.bodyLength() + " bytes"));
    }

    private LadderRow stream(Media of) {
        StreamReport stream = of.stream();
        RtpStream statistics = stream.statistics();
        String codec = stream.codec() == null ? "type " + stream.payloadType() : Text.printable(stream.codec());
        boolean isVideo = !stream.isAudio() && stream.mediaType() != null;
        List<String> notes = new ArrayList<>();
        notes.add(stream.source() + " -> " + stream.destination() + " " + StreamFields.ssrc(stream));
        notes.add(figures(stream, statistics));
        return new LadderRow(
                stream.firstFrame(),
                statistics.firstNs(),
                columns.ofMedia(stream.source()),
                columns.ofMedia(stream.destination()),
                true,
                place(of.call())
                        + (stream.isEncrypted() ? "SRTP " : "RTP ")
                        + (isVideo ? stream.mediaType() + " " : "")
                        + codec,
                style(stream),
                notes);
    }

    private static Style style(StreamReport stream) {
        Quality quality = stream.quality();
        return quality == null ? Style.NOTE : CallsTable.style(quality.mos());
    }

    private static String figures(StreamReport stream, RtpStream statistics) {
        StringBuilder figures = new StringBuilder();
        figures.append(Words.count(statistics.packets(), "packet"));
        figures.append(" in ")
                .append(Decimals.text((statistics.lastNs() - statistics.firstNs()) / 1e9, 1))
                .append(" s, ");
        figures.append(Decimals.text(statistics.lostPercent(), 1)).append(" % lost");
        if (statistics.isJitterKnown()) {
            figures.append(", jitter ")
                    .append(Decimals.text(statistics.meanJitterMs(), 1))
                    .append(" ms");
        }
        Quality quality = stream.quality();
        if (quality != null) {
            figures.append(", MOS ").append(CallsTable.mos(quality));
        }
        String digits = StreamLines.digits(stream);
        if (!digits.isEmpty()) {
            figures.append(", keys ").append(Text.printable(digits));
        }
        return figures.toString();
    }

    private LadderRow error(IcmpEvent error, String place) {
        return new LadderRow(
                error.frameNumber(),
                error.timestampNs(),
                columns.ofReporter(error.reporter(), error.destination()),
                columns.ofQuoted(error.source()),
                false,
                place + "ICMP " + ProblemText.meaning(error.message()),
                Style.BAD,
                List.of("about " + error.source() + " -> " + error.destination()));
    }

    /** Inserts key presses by time. Consecutive ones of a stream share a row; those by INFO are messages. */
    private void insertKeys(List<LadderRow> rows) {
        List<Key> keys = keys();
        int at = 0;
        int from = 0;
        while (from < keys.size()) {
            Key first = keys.get(from);
            while (at < rows.size() && rows.get(at).timestampNs() <= first.atNs()) {
                at++;
            }
            long nextNs = at < rows.size() ? rows.get(at).timestampNs() : Long.MAX_VALUE;
            int to = from;
            Media of = media.get(first.stream());
            StringBuilder pressed = new StringBuilder(place(of.call())).append("DTMF");
            while (to < keys.size()
                    && keys.get(to).stream() == first.stream()
                    && keys.get(to).isInAudio() == first.isInAudio()
                    && keys.get(to).atNs() < nextNs) {
                pressed.append(' ').append(keys.get(to).name());
                to++;
            }
            rows.add(
                    at,
                    new LadderRow(
                            0,
                            first.atNs(),
                            columns.ofMedia(of.stream().source()),
                            columns.ofMedia(of.stream().destination()),
                            true,
                            pressed.append(first.isInAudio() ? " in the audio" : "")
                                    .toString(),
                            Style.NOTE,
                            List.of()));
            from = to;
            at++;
        }
    }

    /** A key press in a stream, by its index in {@link #media}, as a telephone-event or in its audio. */
    private record Key(int stream, long atNs, String name, boolean isInAudio) {}

    private List<Key> keys() {
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < media.size(); i++) {
            StreamReport stream = media.get(i).stream();
            TelephoneEvents events = stream.telephoneEvents();
            for (TelephoneEvent event : events == null ? List.<TelephoneEvent>of() : events.events()) {
                String name = event.key() == 0 ? "event " + event.event() : String.valueOf(event.key());
                keys.add(new Key(i, event.startedNs(), name, false));
            }
            AudioKeys heard = stream.audioKeys();
            for (ToneKey key : heard == null ? List.<ToneKey>of() : heard.keys()) {
                keys.add(new Key(i, key.atNs(), String.valueOf(key.key()), true));
            }
        }
        keys.sort((a, b) -> Long.compare(a.atNs(), b.atNs()));
        return keys;
    }
}
