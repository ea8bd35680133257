package io.offhook.analysis;

import io.offhook.calls.event.SipPacket;
import io.offhook.packet.WrapStatus;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.pcap.file.PcapNgWriter;
import io.offhook.sip.SipMessageView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps the frames of calls as a store of packets does: lanes choose frames, by batch; at the end of each round they
 * are written in the order of capture, and two indexes say where in the file a frame is and which frames the messages
 * of a call came in.
 */
final class KeptPackets implements RoundSink, AutoCloseable {
    private final PcapNgWriter writer;
    /** Indexes of frames, by batch of the round: each is filled by the lane that decodes the batch. */
    private final int[][] chosen = new int[RoundBatches.BATCHES][];

    private final TreeMap<Long, Long> places = new TreeMap<>();
    private final TreeMap<String, NavigableSet<Long>> calls = new TreeMap<>();
    private final SipMessageView view = new SipMessageView();

    private KeptPackets(Path file) {
        writer = PcapNgWriter.create(file);
    }

    /** What was kept: its indexes. The file has the frames. */
    record Index(Map<Long, Long> places, Map<String, NavigableSet<Long>> calls) {}

    /** Keeps what a source has in a file. */
    static Index keep(PacketSource source, int lanes, Path file) {
        try (source;
                KeptPackets kept = new KeptPackets(file)) {
            Pipeline.of(lanes)
                    .frames(lane -> kept.new Chooser())
                    .rounds(kept)
                    .traced()
                    .run(source);
            return new Index(kept.places, kept.calls);
        }
    }

    /** The frames of a file that was written so, in its order: time, length and bytes of each. */
    static List<String> read(Path file) {
        List<String> frames = new ArrayList<>();
        try (PacketSource source = CaptureFiles.open(List.of(file.toString()))) {
            new FrameLoop(source, 100).run(frame -> frames.add(Told.frame(frame.batch(), frame.index())));
        }
        return frames;
    }

    /** Chooses frames on a lane. */
    private final class Chooser implements FrameSink {
        private int[] indexes = new int[64];
        private int count;

        @Override
        public void frame(DecodedFrame frame) {
            boolean isKept = switch (frame.payload()) {
                case SIP, RTP, RTCP, TCP, FRAGMENT -> true;
                default -> false;
            };
            if (isKept) {
                indexes = count == indexes.length ? Arrays.copyOf(indexes, 2 * count) : indexes;
                indexes[count++] = frame.index();
            }
        }

        @Override
        public void endOfBatch(int i) {
            chosen[i] = Arrays.copyOf(indexes, count);
            count = 0;
        }
    }

    @Override
    public void round(Round round) {
        for (int i = 0; i < round.batches(); i++) {
            for (int index : chosen[i]) {
                places.put(round.batch(i).number(index), writer.bytes());
                writer.write(round.batch(i), index);
            }
        }
        for (SipPacket message : round.messages()) {
            if (view.wrap(message.segment(), message.offset(), message.length()) != WrapStatus.MALFORMED) {
                NavigableSet<Long> frames = calls.computeIfAbsent(view.callId(), _ -> new TreeSet<>());
                round.framesOf(message, frames::add);
            }
        }
    }

    @Override
    public void close() {
        writer.close();
    }
}
