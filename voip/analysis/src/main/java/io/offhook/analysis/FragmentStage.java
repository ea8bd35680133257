package io.offhook.analysis;

import io.offhook.calls.event.SipPacket;
import io.offhook.flow.fragment.FragmentLimits;
import io.offhook.flow.fragment.FragmentTable;
import io.offhook.flow.fragment.FragmentTrace;
import io.offhook.packet.PlacedCount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles datagrams in the order of capture, and decodes each as if the frame that completes it had carried it
 * whole. Single-threaded.
 *
 * <p>A SIP message whose remaining fragments never arrive is read as far as it goes: {@code tcpdump port 5060} captures
 * first fragments only, as the others have no ports. Such a message takes the place of its first fragment among the
 * messages of the round, so that a call sees its INVITE before the responses. At the end of a round, this is done for
 * all datagrams that have waited for {@link #PATIENCE_NS}, since fragments of one datagram follow each other
 * immediately; later ones wait until the next round. A message that was reported this way is not reported again if its
 * other fragments arrive after all.
 */
final class FragmentStage {
    /** More than the delay that network and capture put between fragments of one datagram. */
    private static final long PATIENCE_NS = 10_000_000;

    /** Datagrams with TCP in several fragments, of which the frames are remembered; the oldest give way. */
    static final int MOST_SEGMENTS = 1 << 16;

    private final FragmentTable table = new FragmentTable(FragmentLimits.DEFAULT, this::beginning);
    private final SipBeginning reader = new SipBeginning();
    private final List<SipPacket> beginnings = new ArrayList<>();
    private final PlacedCount incompleteMessages = new PlacedCount();
    private final PlacedCount untraced = new PlacedCount();
    private final Failures failures;
    private final RoundMemory memory;
    private final FrameDecoder decoder = new FrameDecoder();

    /** The frames of what came in fragments; null unless traced. */
    private final @Nullable FragmentTrace trace;
    /** The frames of the datagrams that this round completed, by the frame that completed them. */
    private final Map<Long, long[]> whole = new HashMap<>();
    /** The same for datagrams with TCP, over all rounds, as a message may end in a later round. */
    private final Map<Long, long[]> segments = new LinkedHashMap<>();
    /** The frames of the messages that were read as far as they go. */
    private final IdentityHashMap<SipPacket, long[]> framesOfBeginnings = new IdentityHashMap<>();
    /** The frames of duplicates that arrived in this round, after their datagrams were complete. */
    private final List<long[]> late = new ArrayList<>();

    FragmentStage(Arena arena, boolean isTraced, Failures failures) {
        this.failures = failures;
        memory = new RoundMemory(arena);
        trace = isTraced ? table.trace() : null;
    }

    /**
     * Processes the fragments of one batch, and in between what other protocols carry, so that all is added to {@code
     * out} in the order of capture.
     */
    void accept(BatchEvents batch, CarriedStage carried, BatchEvents out) {
        int next = 0;
        for (FragmentEvent fragment : batch.fragments) {
            next = carried.accept(batch.carried, next, fragment.frameNumber(), out);
            contained(fragment, out);
            // a datagram in a tunnel may itself be a fragment: a few levels at most, as the walker has it
            for (int i = 0; i < out.fragments.size(); i++) {
                contained(out.fragments.get(i), out);
            }
            out.fragments.clear();
            carried.accept(out.carried, 0, Long.MAX_VALUE, out);
            out.carried.clear();
        }
        carried.accept(batch.carried, next, Long.MAX_VALUE, out);
    }

    private void contained(FragmentEvent fragment, BatchEvents out) {
        try {
            add(fragment, out);
        } catch (RuntimeException e) { // a bug in this library: the other fragments still count
            failures.add(Failures.Kind.PACKET, e, fragment.frameNumber(), fragment.timestampNs());
        }
    }

    private void add(FragmentEvent fragment, BatchEvents out) {
        long droppedBefore = trace == null ? 0 : trace.dropped();
        if (trace != null) {
            long[] carriers = whole.get(fragment.frameNumber());
            if (carriers == null) {
                trace.carriers();
            } else {
                trace.carriers(carriers);
            }
        }
        FragmentTable.Result result = table.add(
                fragment.segment(),
                fragment.ipOffset(),
                fragment.ipLength(),
                fragment.timestampNs(),
                fragment.frameNumber(),
                fragment.scope());
        if (trace != null) {
            untraced.add(trace.dropped() - droppedBefore, fragment.frameNumber(), fragment.timestampNs());
        }
        if (result == FragmentTable.Result.COMPLETE && !table.isBeginningReported()) {
            complete(fragment, out);
        } else if (trace != null && result == FragmentTable.Result.DUPLICATE) {
            long[] frames = trace.late();
            if (frames.length > 0) {
                late.add(frames);
            }
        }
    }

    private void complete(FragmentEvent fragment, BatchEvents out) {
        memory.copy(table.datagram(), table.datagramOffset(), table.datagramLength());
        Payload payload = decoder.decodeDatagram(
                memory.segment(memory.chunk()), memory.chunk(), memory.offset(), table.datagramLength(), fragment, out);
        if (trace != null) {
            long[] frames = trace.completed();
            whole.put(fragment.frameNumber(), frames);
            if (payload == Payload.TCP) {
                remember(frames, fragment.frameNumber(), fragment.timestampNs());
            }
        }
    }

    /** Remembers the frames of a datagram with TCP. */
    void remember(long[] frames, long completingFrame, long timestampNs) {
        if (segments.size() == MOST_SEGMENTS) {
            Iterator<long[]> oldest = segments.values().iterator();
            untraced.add(oldest.next().length, completingFrame, timestampNs);
            oldest.remove();
        }
        segments.put(completingFrame, frames);
    }

    /** Reports the frames of the datagram that a frame completed, or the frame itself if it completed none. */
    void framesOf(long completingFrame, LongConsumer to) {
        long[] frames = whole.get(completingFrame);
        if (frames == null) {
            frames = segments.get(completingFrame);
        }
        if (frames == null) {
            to.accept(completingFrame);
        } else {
            Arrays.stream(frames).forEach(to);
        }
    }

    /** Reports the frames of a message of this round that was in a datagram. */
    void framesOf(SipPacket message, LongConsumer to) {
        long[] frames = framesOfBeginnings.get(message);
        if (frames == null) {
            framesOf(message.frameNumber(), to);
        } else {
            Arrays.stream(frames).forEach(to);
        }
    }

    /** Reports the frames of this round with duplicates that came after their datagrams were complete. */
    void lateDuplicates(Round.DuplicateHandler to) {
        for (long[] frames : late) {
            for (int i = 1; i < frames.length; i++) {
                to.duplicate(frames[0], frames[i]);
            }
        }
    }

    private boolean beginning(
            MemorySegment segment, long offset, int length, int wireLength, long timestampNs, long frameNumber) {
        SipPacket message;
        try {
            message = reader.read(segment, offset, length, wireLength, timestampNs, frameNumber, memory);
        } catch (RuntimeException e) {
            failures.add(Failures.Kind.PACKET, e, frameNumber, timestampNs);
            return false;
        }
        if (message == null) {
            return false;
        }
        beginnings.add(message);
        if (trace != null) {
            framesOfBeginnings.put(message, trace.beginning());
        }
        incompleteMessages.add(frameNumber, timestampNs);
        return true;
    }

    /**
     * Reads the datagrams that will probably not be completed, after all fragments of the round.
     *
     * @param latestNs time of the last frame of the round
     * @param isLast whether this is the last round
     */
    void reportBeginnings(long latestNs, boolean isLast) {
        table.reportBeginnings(latestNs, isLast ? -1 : PATIENCE_NS);
    }

    /** The messages of this round with missing fragments. */
    List<SipPacket> messages() {
        return beginnings;
    }

    /** All messages with missing fragments. */
    PlacedCount incompleteMessages() {
        return incompleteMessages;
    }

    /**
     * The fragments whose frames are not remembered: those of TCP segments that gave way to others (the place is the
     * others'), and those that the trace has dropped.
     */
    PlacedCount untraced() {
        return untraced;
    }

    /** Discards incomplete datagrams at the end of the capture. */
    void flush() {
        table.flush();
    }

    void close() {
        table.close();
    }

    FragmentTable table() {
        return table;
    }

    RoundMemory memory() {
        return memory;
    }

    /** Whether a message of this round lacks fragments that may have its headers. */
    boolean hasBeginnings() {
        return !beginnings.isEmpty();
    }

    void endRound() {
        beginnings.clear();
        whole.clear();
        late.clear();
        framesOfBeginnings.clear();
        memory.clear();
    }
}
