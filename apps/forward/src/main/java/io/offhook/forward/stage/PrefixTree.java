package io.offhook.forward.stage;

import java.util.Arrays;

/**
 * Longest prefix match over addresses of up to 128 bits: six bits per level; a node has two bit vectors, one for the
 * children and one for the changes of values, so that a level costs one cache line (Asai and Ohara, Poptrie, SIGCOMM
 * 2015). Immutable and thread-safe.
 *
 * <p>IPv4 addresses are the first 32 bits.
 */
public final class PrefixTree {
    /** The result of a lookup if no prefix matches. */
    public static final int NONE = -1;

    private static final int STRIDE = 6;
    /**
     * The longs per node: vector of children, vector of leaves, first leaf and first child, and one unused for
     * alignment.
     */
    private static final int NODE = 4;

    private final long[] nodes;
    private final int[] leaves;

    private PrefixTree(long[] nodes, int[] leaves) {
        this.nodes = nodes;
        this.leaves = leaves;
    }

    /**
     * The value of the longest prefix of an address.
     *
     * @param high the first 64 bits of the address
     * @param low the last 64 bits
     * @return the value, or {@link #NONE}
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

    /** Six bits from {@code depth} on, padded with zeros. */
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

    /** The size of its arrays in bytes. */
    public long memoryBytes() {
        return 8L * nodes.length + 4L * leaves.length;
    }

    /** Collects prefixes. Not reusable, not thread-safe. */
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

        /** Creates a builder without prefixes. */
        public Builder() {
            values[0] = NONE;
        }

        /**
         * Adds a prefix; of equal prefixes the last one applies.
         *
         * @param high the first 64 bits of the address; bits after the prefix are ignored
         * @param low the last 64 bits
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

        /** Creates the tree. */
        public PrefixTree build() {
            nodeCount = 1;
            fill(0, 0, NONE);
            return new PrefixTree(Arrays.copyOf(nodes, nodeCount * NODE), Arrays.copyOf(leaves, leafCount));
        }

        /** @param best the value of the longest prefix above the binary node */
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

        /** Descends six bits: to the binary node there, 0 if the tree ends before, and the best value on the way. */
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
