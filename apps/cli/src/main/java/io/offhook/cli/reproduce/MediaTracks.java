package io.offhook.cli.reproduce;

import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.FrameLoop;
import io.offhook.analysis.audio.RtpFrames;
import io.offhook.analysis.audio.StreamIndex;
import io.offhook.calls.CallReport;
import io.offhook.calls.Side;
import io.offhook.calls.StreamReport;
import io.offhook.cli.input.OpenCapture;
import io.offhook.cli.input.RereadableFiles;
import io.offhook.cli.terminal.Progress;
import io.offhook.cli.terminal.Terminal;
import io.offhook.rtp.RtpView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The media of a leg: what each side sent.
 *
 * @param caller of the caller
 * @param callee of the callee
 * @param streams how many RTP streams they are
 * @param elsewhere RTP streams of the call that are not of this leg
 */
record MediaTracks(Track caller, Track callee, int streams, int elsewhere) {
    /** No media. */
    static final MediaTracks NONE = new MediaTracks(Track.NONE, Track.NONE, 0, 0);

    private static final int BATCH_FRAMES = 4096;
    /** The longest packet that sipp plays is 1,500 bytes of UDP and what it carries. */
    private static final int LONGEST_PACKET = 1480;

    private static final long MOST_BYTES = 256L << 20;

    /** Where the packets of a stream go. */
    private record Place(Collected into, int line) {}

    /** Packets of a side. */
    private static final class Collected {
        final List<Track.Packet> packets = new ArrayList<>();
        long bytes;
        long leftOut;
        long padded;

        void add(RtpFrames frames, int line) {
            RtpView packet = frames.packet();
            int length = packet.headerLength() + packet.payloadLength() + packet.paddingLength();
            if (length > LONGEST_PACKET || bytes + length > MOST_BYTES) {
                leftOut++;
                return;
            }
            bytes += length;
            byte[] octets = new byte[length];
            int captured = Math.min(length, frames.captured());
            padded += captured < length ? 1 : 0;
            MemorySegment.copy(
                    packet.segment(),
                    ValueLayout.JAVA_BYTE,
                    packet.payloadOffset() - packet.headerLength(),
                    octets,
                    0,
                    captured);
            packets.add(new Track.Packet(frames.timestampNs(), line, octets));
        }

        Track track() {
            packets.sort(Comparator.comparingLong(Track.Packet::atNs));
            return new Track(List.copyOf(packets), leftOut, padded);
        }
    }

    /**
     * Reads the media of a leg. Reads the files once.
     *
     * @param isOnlyLeg whether the call has no other leg, so that all of its streams are of this one
     */
    static MediaTracks read(
            RereadableFiles files, CallReport call, MediaLines media, boolean isOnlyLeg, Terminal terminal) {
        Collected caller = new Collected();
        Collected callee = new Collected();
        StreamIndex<Place> index = new StreamIndex<>();
        int found = 0;
        for (StreamReport stream : call.streams()) {
            Place place = place(stream, media, isOnlyLeg, caller, callee);
            if (place != null) {
                index.add(stream, place);
                found++;
            }
        }
        if (found > 0) {
            try (OpenCapture input = files.open(terminal);
                    Progress _ = input.progress();
                    RtpFrames packets = new RtpFrames()) {
                FrameLoop loop = new FrameLoop(input.source(), BATCH_FRAMES);
                loop.run(frame -> collect(frame, packets, index));
                input.failed(loop.defect());
            }
        }
        return new MediaTracks(
                caller.track(), callee.track(), found, call.streams().size() - found);
    }

    private static void collect(DecodedFrame frame, RtpFrames packets, StreamIndex<Place> index) {
        Place place = packets.frame(frame) ? index.of(packets, frame.number()) : null;
        if (place != null) {
            place.into.add(packets, place.line);
        }
    }

    /** Whose stream it is: by where it goes to, else by where it comes from, according to the SDP of the leg. */
    private static @Nullable Place place(
            StreamReport stream, MediaLines media, boolean isOnlyLeg, Collected caller, Collected callee) {
        int toCallee = media.line(false, stream.destination());
        int toCaller = media.line(true, stream.destination());
        if (toCallee >= 0 && toCaller < 0) {
            return new Place(caller, toCallee);
        }
        if (toCaller >= 0 && toCallee < 0) {
            return new Place(callee, toCaller);
        }
        int fromCaller = media.line(true, stream.source());
        if (fromCaller >= 0) {
            return new Place(caller, fromCaller);
        }
        int fromCallee = media.line(false, stream.source());
        if (fromCallee >= 0) {
            return new Place(callee, fromCallee);
        }
        Side from = stream.from();
        return from == null || !isOnlyLeg ? null : new Place(from == Side.CALLER ? caller : callee, media.primary());
    }
}
