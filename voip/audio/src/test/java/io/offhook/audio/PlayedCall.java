package io.offhook.audio;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.testkit.traffic.CaptureWriter;
import io.offhook.testkit.traffic.Frame;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** The first call of some frames, analysed and played. */
final class PlayedCall {
    private final CallReport call;
    private final CallAudio audio;
    private final AudioReport report;
    private final Kept kept;

    private PlayedCall(CallReport call, CallAudio audio, AudioReport report, Kept kept) {
        this.call = call;
        this.audio = audio;
        this.report = report;
        this.kept = kept;
    }

    CallReport call() {
        return call;
    }

    CallAudio audio() {
        return audio;
    }

    AudioReport report() {
        return report;
    }

    short[] caller() {
        return kept.samples(0);
    }

    short[] callee() {
        return kept.samples(1);
    }

    /** Where the payload is in a frame of Ethernet, IPv4 and UDP without options. */
    private static final int RTP = 42;

    static final int PAYLOAD = RTP + 12;

    static PlayedCall of(List<Frame> frames, Path folder, AudioOptions options) throws IOException {
        return of(frames, folder, options, AnalysisOptions.defaults());
    }

    static PlayedCall of(List<Frame> frames, Path folder, AudioOptions options, AnalysisOptions analysis)
            throws IOException {
        Path file = folder.resolve("call.pcap");
        CaptureWriter.pcap().nanoseconds().write(frames, file);
        AnalysisResult result;
        try (PacketSource source = open(file)) {
            result = Analysis.run(source, analysis);
        }
        CallReport call = result.calls().getFirst();
        CallAudio audio = CallAudio.of(call, options);
        Kept kept = new Kept();
        try (PacketSource source = open(file)) {
            AudioReport report = audio.play(source, kept);
            if (report.defect() != null) {
                throw new AssertionError(report.defect());
            }
            return new PlayedCall(call, audio, report, kept);
        }
    }

    private static PacketSource open(Path file) {
        return CaptureFiles.open(List.of(file.toString()), new ByteArrayInputStream(new byte[0]));
    }

    short[] channel(Side side) {
        return side == Side.CALLER ? caller() : callee();
    }

    StreamReport stream(Side side) {
        return call.streams().stream()
                .filter(stream -> stream.from() == side)
                .findFirst()
                .orElseThrow();
    }

    List<AudioMark> marks(Side side, AudioMark.Kind kind) {
        return report.marks().stream()
                .filter(mark -> mark.side() == side && mark.kind() == kind)
                .toList();
    }

    static double lengthMs(List<AudioMark> marks) {
        return marks.stream()
                .mapToDouble(mark -> mark.untilMs() - mark.fromMs())
                .sum();
    }

    /** Whether a frame is RTP with a source port. */
    static boolean isRtp(Frame frame, int sourcePort) {
        byte[] bytes = frame.bytes();
        return bytes.length > PAYLOAD
                && bytes[23] == 17
                && (bytes[34] & 0xff) << 8 == (sourcePort & 0xff00)
                && (bytes[35] & 0xff) == (sourcePort & 0xff)
                && (bytes[RTP] & 0xff) == 0x80;
    }

    static int number(Frame frame) {
        return ByteBuffer.wrap(frame.bytes()).getShort(RTP + 2) & 0xffff;
    }

    static int payloadType(Frame frame) {
        return frame.bytes()[RTP + 1] & 0x7f;
    }

    static byte[] payload(Frame frame) {
        return Arrays.copyOfRange(frame.bytes(), PAYLOAD, frame.bytes().length);
    }

    /** The frame with another payload; the lengths of IP and UDP follow, checksums do not. */
    static Frame withPayload(Frame frame, byte[] payload) {
        byte[] bytes = Arrays.copyOf(frame.bytes(), PAYLOAD + payload.length);
        System.arraycopy(payload, 0, bytes, PAYLOAD, payload.length);
        ByteBuffer.wrap(bytes).putShort(16, (short) (bytes.length - 14)).putShort(38, (short) (bytes.length - 34));
        return new Frame(frame.timestampNs(), frame.linkType(), bytes, bytes.length);
    }

    /** The frame as two IP fragments. */
    static List<Frame> fragments(Frame frame, int firstBytes, int identification) {
        byte[] all = frame.bytes();
        int ip = 34;
        byte[] first = Arrays.copyOf(all, ip + firstBytes);
        byte[] second = new byte[all.length - firstBytes];
        System.arraycopy(all, 0, second, 0, ip);
        System.arraycopy(all, ip + firstBytes, second, ip, all.length - ip - firstBytes);
        header(first, identification, 0x2000);
        header(second, identification, firstBytes / 8);
        return List.of(
                new Frame(frame.timestampNs(), frame.linkType(), first, first.length),
                new Frame(frame.timestampNs(), frame.linkType(), second, second.length));
    }

    private static void header(byte[] part, int identification, int flagsAndOffset) {
        ByteBuffer.wrap(part)
                .putShort(16, (short) (part.length - 14))
                .putShort(18, (short) identification)
                .putShort(20, (short) flagsAndOffset);
    }

    static Frame at(Frame frame, long timestampNs) {
        return new Frame(timestampNs, frame.linkType(), frame.bytes(), frame.wireLength());
    }

    /** The frames with those of RTP from a port changed; null removes one. */
    static List<Frame> change(List<Frame> frames, int sourcePort, UnaryOperator<Frame> change) {
        List<Frame> changed = new ArrayList<>();
        for (Frame frame : frames) {
            Frame now = isRtp(frame, sourcePort) ? change.apply(frame) : frame;
            if (now != null) {
                changed.add(now);
            }
        }
        changed.sort((a, b) -> Long.compare(a.timestampNs(), b.timestampNs()));
        return changed;
    }

    /** Keeps all samples. */
    private static final class Kept implements AudioSink {
        private final short[][] channels = {new short[1 << 16], new short[1 << 16]};
        private int count;

        @Override
        public void samples(short[] caller, short[] callee, int added) {
            for (int i = 0; i < 2; i++) {
                if (count + added > channels[i].length) {
                    channels[i] = Arrays.copyOf(channels[i], 2 * (count + added));
                }
                System.arraycopy(i == 0 ? caller : callee, 0, channels[i], count, added);
            }
            count += added;
        }

        short[] samples(int channel) {
            return Arrays.copyOf(channels[channel], count);
        }
    }
}
