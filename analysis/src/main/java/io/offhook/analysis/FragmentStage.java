package io.offhook.analysis;

import io.offhook.flow.FragmentLimits;
import io.offhook.flow.FragmentTable;
import java.lang.foreign.Arena;

/**
 * The side lane of fragments: puts datagrams together in the order of capture, and decodes each as if the frame that
 * completes it had carried it whole. Single-threaded.
 */
final class FragmentStage {
    private final FragmentTable table = new FragmentTable(FragmentLimits.DEFAULT);
    private final RoundMemory memory;
    private final FrameDecoder decoder = new FrameDecoder();

    FragmentStage(Arena arena) {
        memory = new RoundMemory(arena);
    }

    /** Works off the fragments of one batch; what they carry goes to {@code out}. */
    void accept(BatchEvents batch, BatchEvents out) {
        for (FragmentEvent fragment : batch.fragments) {
            add(fragment, out);
            // a datagram in a tunnel may itself be a fragment: a few levels at most, as the walker has it
            for (int i = 0; i < out.fragments.size(); i++) {
                add(out.fragments.get(i), out);
            }
            out.fragments.clear();
        }
    }

    private void add(FragmentEvent fragment, BatchEvents out) {
        FragmentTable.Result result = table.add(
                fragment.segment(),
                fragment.ipOffset(),
                fragment.ipLength(),
                fragment.timestampNs(),
                fragment.frameNumber(),
                fragment.scope());
        if (result == FragmentTable.Result.COMPLETE) {
            memory.copy(table.datagram(), table.datagramOffset(), table.datagramLength());
            decoder.decodeDatagram(
                    memory.segment(memory.chunk()),
                    memory.chunk(),
                    memory.offset(),
                    table.datagramLength(),
                    fragment,
                    out);
        }
    }

    /** The capture has ended: what is incomplete stays so. */
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

    void endRound() {
        memory.clear();
    }
}
