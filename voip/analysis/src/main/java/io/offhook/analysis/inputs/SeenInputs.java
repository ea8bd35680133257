package io.offhook.analysis.inputs;

import io.offhook.analysis.DecodedFrame;
import io.offhook.analysis.Pipeline;
import io.offhook.analysis.Shards;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.rtp.RtpRows;
import io.offhook.sip.SipMessageView;
import java.util.Arrays;

/**
 * Notes at which inputs of a source the messages and streams of calls are seen. An input is an interface index of {@link
 * io.offhook.packet.FrameBatch#interfaceIndex}.
 *
 * <p>Bounded: of Call-IDs and streams, 131,072 and 262,144 at least are remembered, those that were seen last. Answers are for
 * the thread that runs the pipeline: listeners of messages, and whoever looks at the calls between rounds.
 */
public final class SeenInputs implements TrafficSink {
    /** The most inputs that can be told apart. */
    public static final int MOST = 64;

    private static final int NUMBER_SHIFT = 6;

    /** The frames of a round, so that the number of a frame, modulo this, is its place. */
    private static final int PLACES = 1 << 16;

    private static final int MOST_SLOTS = 1 << 14;

    /** By place: the number of the frame, and its input in the low bits. */
    private final long[] frames = new long[PLACES];

    private final InputTable[] messages = new InputTable[Shards.SIP];
    private final InputTable[] streams = new InputTable[Shards.RTP];

    /** Nothing was seen yet. */
    public SeenInputs() {
        Arrays.setAll(messages, _ -> new InputTable(MOST_SLOTS));
        Arrays.setAll(streams, _ -> new InputTable(MOST_SLOTS));
    }

    /** Watches a pipeline, which runs once. Frames of inputs from {@link #MOST} on are left out. */
    public void addTo(Pipeline pipeline) {
        pipeline.frames(_ -> this::frame).traffic(this);
    }

    private void frame(DecodedFrame frame) {
        int input = frame.batch().interfaceIndex(frame.index());
        if (input < MOST) {
            frames[(int) frame.number() & PLACES - 1] = frame.number() << NUMBER_SHIFT | input;
        }
    }

    /** The input of a frame of this round, by its number; -1 if it is not known any more. */
    public int of(long frameNumber) {
        long noted = frames[(int) frameNumber & PLACES - 1];
        return noted >>> NUMBER_SHIFT == frameNumber ? (int) noted & MOST - 1 : -1;
    }

    @Override
    public void sip(int shard, SipPacket message) {
        int input = of(message.frameNumber());
        if (input >= 0) {
            messages[shard].seen(message.callIdHash(), input);
        }
    }

    @Override
    public void rtp(int shard, RtpRows rows) {
        InputTable seen = streams[shard];
        for (int row = 0; row < rows.end(); row += RtpRows.WIDTH) {
            int input = of(rows.frame(row));
            if (input >= 0) {
                seen.seen(rows.hash(row), input);
            }
        }
    }

    /** The inputs at which messages or media of a call were seen, a bit for each; 0 if that is not known any more. */
    public long of(CallReport call) {
        long inputs = 0;
        for (CallReport.Dialog dialog : call.dialogs()) {
            long hash = SipMessageView.callIdHash(dialog.callId());
            inputs |= messages[Shards.sip(hash)].of(hash);
        }
        for (StreamReport stream : call.streams()) {
            long hash = RtpRows.hash(stream.source(), stream.destination(), stream.ssrc());
            inputs |= streams[Shards.rtp(hash)].of(hash);
        }
        return inputs;
    }
}
