package io.offhook.forward.stage;

import java.util.Arrays;

/**
 * Longest prefix match over addresses of 128 bits or fewer: six bits a level, a node two bit vectors of which the one says
 * where the tree goes on and the other where values change, so that a level costs one cache line (Asai and Ohara, Poptrie,
 * SIGCOMM 2015). Immutable; any thread reads.
 *
 * <p>IPv4 addresses are the first 32 bits.
 */
public final class PrefixTree {
    /** What a look-up gives where no prefix matches. */
    public static final int NONE = -1;

    private static final int STRIDE = 6;
    /** Longs a node: vector of children, vector of leaves, first leaf and first child; one to spare, for alignment. */
    private static final int NODE = 4;

    private final long[] nodes;
    private final int[] leaves;

    private PrefixTree(long[] nodes, int[] leaves) {
        this.nodes = nodes;
        this.leaves = leaves;
    }

    /**
     * The value of the longest prefix that an address begins with.
     *
     * @param high the first 64 bits of the address
     * @param low the last 64 bits
     * @return {@link #NONE} where there is none
     */
    public int find(long high, long low) {
        int node = 0;
        int depth = 0;
        while (true) {
            int at = node * NODE;
            int slot = slot(high, low, depth);
            long below = (2L << slot) - 1;
            long children = nodes[at];
            long bases = nodes[at + 2];
            if ((children >>> slot & 1) == 0) {
                return leaves[(int) bases + Long.bitCount(nodes[at + 1] & below) - 1];
            }
            node = (int) (bases >>> 32) + Long.bitCount(children & below) - 1;
            depth += STRIDE;
        }
    }

    /** Six bits from {@code depth} on; zeros behind the last. */
    private static int slot(long high, long low, int depth) {
        if (depth <= 64 - STRIDE) {
            return (int) (high >>> 64 - STRIDE - depth) & 63;
        }
        if (depth < 64) {
            return (int) (high << depth - (64 - STRIDE) | low >>> 128 - STRIDE - depth) & 63;
        }
        int inLow = depth - 64;
        return (int) (inLow <= 64 - STRIDE ? low >>> 64 - STRIDE - inLow : low << inLow - (64 - STRIDE)) & 63;
    }

    /** Longs and ints that it takes, in bytes. */
    public long memoryBytes() {
        return 8L * nodes.length + 4L * leaves.length;
    }

    /** Collects prefixes. Used once, by one thread. */
    public static final class Builder {
        // a binary tree, a bit a level: children, and the value that ends there
        private int[] zeros = new int[64];
        private int[] ones = new int[64];
        private int[] values = new int[64];
        private int count = 1;

        private long[] nodes = new long[64 * NODE];
        private int nodeCount;
        private int[] leaves = new int[64];
        private int leafCount;

        /** Without prefixes. */
        public Builder() {
            values[0] = NONE;
        }

        /**
         * One more prefix; of two that are the same the last one holds.
         *
         * @param high first bits of the address; those behind the prefix are not looked at
         * @param low the others
         * @param length 0 to 128 bits
         * @param value 0 or more
         */
        public Builder add(long high, long low, int length, int value) {
            if (length < 0 || length > 128 || value < 0) {
                throw new IllegalArgumentException("length " + length + " or value " + value + " is out of range");
            }
            int node = 0;
            for (int bit = 0; bit < length; bit++) {
                boolean isOne = (bit < 64 ? high << bit : low << bit - 64) < 0;
                int next = isOne ? ones[node] : zeros[node];
                if (next == 0) {
                    next = grow();
                    if (isOne) {
                        ones[node] = next;
                    } else {
                        zeros[node] = next;
                    }
                }
                node = next;
            }
            values[node] = value;
            return this;
        }

        private int grow() {
            if (count == values.length) {
                zeros = Arrays.copyOf(zeros, count * 2);
                ones = Arrays.copyOf(ones, count * 2);
                values = Arrays.copyOf(values, count * 2);
            }
            values[count] = NONE;
            return count++;
        }

        /** Makes the tree. */
        public PrefixTree build() {
            nodeCount = 1;
            fill(0, 0, NONE);
            return new PrefixTree(Arrays.copyOf(nodes, nodeCount * NODE), Arrays.copyOf(leaves, leafCount));
        }

        /** @param best the value of the longest prefix on the way to the binary node, without its own */
        private void fill(int node, int binary, int best) {
            int inherited = values[binary] == NONE ? best : values[binary];
            int[] below = new int[64];
            int[] bestBelow = new int[64];
            long children = 0;
            long runs = 0;
            int firstLeaf = leafCount;
            int last = 0;
            for (int slot = 0; slot < 64; slot++) {
                descend(binary, inherited, slot, below, bestBelow);
                boolean goesOn = below[slot] != 0 && (zeros[below[slot]] | ones[below[slot]]) != 0;
                if (goesOn) {
                    children |= 1L << slot;
                } else if (runs == 0 || bestBelow[slot] != last) {
                    runs |= 1L << slot;
                    last = bestBelow[slot];
                    addLeaf(last);
                }
            }
            int firstChild = nodeCount;
            nodeCount += Long.bitCount(children);
            while (nodes.length < nodeCount * NODE) {
                nodes = Arrays.copyOf(nodes, nodes.length * 2);
            }
            nodes[node * NODE] = children;
            nodes[node * NODE + 1] = runs;
            nodes[node * NODE + 2] = (long) firstChild << 32 | firstLeaf;
            int child = firstChild;
            for (int slot = 0; slot < 64; slot++) {
                if ((children >>> slot & 1) != 0) {
                    fill(child++, below[slot], bestBelow[slot]);
                }
            }
        }

        /** Six bits down: the binary node there, 0 where the tree ends before, and the best value on the way. */
        private void descend(int binary, int inherited, int slot, int[] below, int[] bestBelow) {
            int at = binary;
            int value = inherited;
            for (int bit = STRIDE - 1; bit >= 0; bit--) {
                at = (slot >>> bit & 1) == 0 ? zeros[at] : ones[at];
                if (at == 0) {
                    break;
                }
                value = values[at] == NONE ? value : values[at];
            }
            below[slot] = at;
            bestBelow[slot] = value;
        }

        private void addLeaf(int value) {
            if (leafCount == leaves.length) {
                leaves = Arrays.copyOf(leaves, leafCount * 2);
            }
            leaves[leafCount++] = value;
        }
    }
}
