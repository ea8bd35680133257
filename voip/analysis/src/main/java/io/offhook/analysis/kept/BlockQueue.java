package io.offhook.analysis.kept;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Copies frames for the thread that writes them, and never waits for it: frames for which there is no room are dropped and
 * counted. Frames are copied once, into the block that is written. One thread adds, one takes.
 */
final class BlockQueue implements KeptFrames {
    /** Packets wait so long for others, to be written together. */
    private static final long MOST_WAIT_NS = 200_000_000L;

    private final Arena arena;
    private final ArrayBlockingQueue<Block> free;
    private final ArrayBlockingQueue<Block> full;
    /** Is added once, to wake who takes. */
    private final Block end;

    private int blocksLeft;
    private SegmentInterface[] interfaces = SegmentInterface.NONE;
    /** By number: the input that each was captured at. */
    private int[] inputs = {};
    /** The names of inputs, by number; those beyond have none. */
    private List<String> names = List.of();

    private @Nullable Block current;
    private long beganNs;
    private long dropped;
    private volatile long shownDropped;
    private long accepted;
    private volatile long shownAccepted;

    /** @param arena of the blocks, which are allocated as they are needed */
    BlockQueue(Arena arena, long bytes) {
        this.arena = arena;
        blocksLeft = (int) Math.min(Integer.MAX_VALUE, bytes / Block.BYTES);
        free = new ArrayBlockingQueue<>(blocksLeft);
        full = new ArrayBlockingQueue<>(blocksLeft + 1);
        end = new Block(arena, 0);
    }

    /** From now on, inputs have these names. */
    void name(List<String> inputsByNumber) {
        names = List.copyOf(inputsByNumber);
    }

    @Override
    public void frame(FrameBatch batch, int i, int length, long key) {
        int interfaceId = interfaceOf(batch.interfaceIndex(i), batch.linkType(i));
        Block block = current;
        if (block != null
                && (!block.hasRoom(Block.captured(length)) || block.interfaces().length < interfaces.length)) {
            pass(block);
            block = null;
        }
        if (block == null) {
            block = take();
            if (block == null) {
                dropped++;
                return;
            }
            block.begin(interfaces);
            current = block;
            beganNs = System.nanoTime();
        }
        block.add(batch, i, Block.captured(length), interfaceId, key);
        accepted++;
    }

    private int interfaceOf(int index, int linkType) {
        int input = index < names.size() ? index : -1;
        for (int i = 0; i < inputs.length; i++) {
            if (inputs[i] == input && interfaces[i].linkType() == linkType) {
                return i;
            }
        }
        SegmentInterface[] more = Arrays.copyOf(interfaces, interfaces.length + 1);
        more[interfaces.length] = new SegmentInterface(linkType, input < 0 ? "" : names.get(input));
        interfaces = more;
        inputs = Arrays.copyOf(inputs, more.length);
        inputs[more.length - 1] = input;
        return more.length - 1;
    }

    private @Nullable Block take() {
        Block block = free.poll();
        if (block == null && blocksLeft > 0) {
            blocksLeft--;
            block = new Block(arena);
        }
        return block;
    }

    private void pass(Block block) {
        current = null;
        full.add(block); // has room for all blocks that there are
    }

    @Override
    public void endOfRound() {
        shownDropped = dropped;
        shownAccepted = accepted;
        Block block = current;
        if (block != null && System.nanoTime() - beganNs > MOST_WAIT_NS) {
            pass(block);
        }
    }

    /** Passes on what is left, at the end of the capture. */
    void flush() {
        shownDropped = dropped;
        shownAccepted = accepted;
        Block block = current;
        if (block != null) {
            pass(block);
        }
    }

    /** Frames for which there was no room. Any thread may ask. */
    long dropped() {
        return shownDropped;
    }

    /** Frames for which there was room, up to the last round. Any thread may ask. */
    long accepted() {
        return shownAccepted;
    }

    /** Ends the wait of who takes; nothing is added afterwards. */
    void end() {
        full.add(end);
    }

    /** The next block to write; null if there is none after some milliseconds, or at the end. */
    @Nullable
    Block next(long ms) throws InterruptedException {
        Block block = full.poll(ms, TimeUnit.MILLISECONDS);
        if (block != end) {
            return block;
        }
        full.add(end); // whoever takes again must not wait either
        return null;
    }

    /** Gives a block back. */
    void written(Block block) {
        free.add(block);
    }
}
