package io.offhook.cli.serve;

import io.offhook.analysis.CaptureReport;
import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.FrameSink;
import io.offhook.analysis.audio.RtpFrames;
import io.offhook.analysis.audio.StreamIndex;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.cli.calls.OpenedAudio;
import io.offhook.decrypt.SrtpOpener;
import io.offhook.pcap.PacketSource;
import io.offhook.report.text.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says in words what keys open of a call, and what not. Nothing in it is a key. */
final class KeyCheck {
    private static final int BATCH_FRAMES = 4096;
    private static final int LONGEST_PACKET = 0xffff;

    private KeyCheck() {}

    /**
     * What keys open of the media of calls.
     *
     * @param words a sentence for each encrypted stream
     * @param isAnyOpened whether at least one packet was opened
     */
    record Media(List<String> words, boolean isAnyOpened) {}

    /**
     * Tries the keys on each encrypted stream of some calls, by reading their packets once.
     *
     * @param packets those of the calls
     */
    static Media media(List<CallReport> calls, OpenedAudio keys, PacketSource packets) {
        Map<StreamReport, @Nullable SrtpOpener> openers = new LinkedHashMap<>();
        StreamIndex<SrtpOpener> index = new StreamIndex<>();
        for (CallReport call : calls) {
            for (StreamReport stream : call.streams()) {
                if (stream.isEncrypted()) {
                    SrtpOpener opener = keys.opener(stream);
                    openers.put(stream, opener);
                    if (opener != null) {
                        index.add(stream, opener);
                    }
                }
            }
        }
        if (!index.isEmpty()) {
            try (Arena arena = Arena.ofConfined();
                    RtpFrames frames = new RtpFrames()) {
                new FrameLoop(packets, BATCH_FRAMES).run(new Trial(index, frames, arena.allocate(LONGEST_PACKET)));
            }
        }
        List<String> words = new ArrayList<>();
        boolean isAnyOpened = false;
        for (Map.Entry<StreamReport, @Nullable SrtpOpener> stream : openers.entrySet()) {
            SrtpOpener opener = stream.getValue();
            words.add(words(stream.getKey(), opener));
            isAnyOpened |= opener != null && opener.opened() > 0 && !opener.isKeyWrong();
        }
        return new Media(words, isAnyOpened);
    }

    /** Opens each packet with the keys of its stream. */
    private record Trial(StreamIndex<SrtpOpener> index, RtpFrames frames, MemorySegment opened) implements FrameSink {
        @Override
        public void frame(DecodedFrame frame) {
            SrtpOpener opener = frames.frame(frame) ? index.of(frames, frame.number()) : null;
            if (opener != null) {
                opener.open(frames.packet(), frames.captured(), opened);
            }
        }
    }

    private static String words(StreamReport stream, @Nullable SrtpOpener opener) {
        String name = "SRTP stream " + stream.source() + " > " + stream.destination() + ", SSRC "
                + String.format(Locale.ROOT, "0x%08X", stream.ssrc());
        if (opener == null) {
            return name + ": there is no key for it";
        }
        long all = opener.opened() + opener.closed();
        if (opener.isKeyWrong()) {
            return name + ": its keys are wrong, they open none of its " + Words.count(all, "packet");
        }
        return all == 0
                ? name + ": none of its packets is there"
                : name + ": " + opener.opened() + " of " + Words.count(all, "packet") + " opened";
    }

    /**
     * What became of TLS.
     *
     * @param capture what the packets were searched with these keys
     * @param sessions of the key log
     * @param messages of SIP inside TLS that are in the view
     * @param isMediaOpened whether media were opened, whose DTLS may be what the key log is of
     */
    static List<String> signalling(CaptureReport capture, int sessions, long messages, boolean isMediaOpened) {
        List<String> words = new ArrayList<>();
        long wrong = count(capture, "tlsKeyWrong");
        if (wrong > 0) {
            words.add("SIP in TLS: the secrets in the key log are wrong for " + directions(wrong)
                    + ", they do not open the first record");
        }
        if (messages > 0) {
            words.add("SIP in TLS: " + Words.count(messages, "message") + " of this call read");
        } else if (sessions > 0 && wrong == 0 && !isMediaOpened) {
            words.add("SIP in TLS: nothing of this call is in the connections that the "
                    + Words.count(sessions, "session") + " of the key log " + (sessions == 1 ? "opens" : "open"));
        }
        if (sessions > 0) {
            add(words, count(capture, "tlsUnsupported"), " of a version or cipher suite that is not supported");
            add(words, count(capture, "tlsWithoutHello"), " that began before the capture, which no key opens");
        }
        return words;
    }

    private static void add(List<String> words, long count, String why) {
        if (count > 0) {
            words.add("TLS: " + directions(count) + why);
        }
    }

    private static String directions(long count) {
        return Words.count(count, "direction") + " of connections";
    }

    private static long count(CaptureReport capture, String name) {
        return capture.counters().stream()
                .filter(counter -> counter.name().equals(name))
                .mapToLong(CaptureReport.Counter::count)
                .sum();
    }
}
