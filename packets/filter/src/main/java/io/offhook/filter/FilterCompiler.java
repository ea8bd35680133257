package io.offhook.filter;

import org.jspecify.annotations.Nullable;

/**
 * Compiles expressions of pcap-filter(7) to classic BPF. The result is the program that libpcap 1.10 generates for a
 * capture file of the same link type. docs/FILTER.md defines the language and its limits.
 *
 * <p>Reads nothing of the machine: names of ports and protocols come from a table in this module, so a filter means the
 * same everywhere. Safe for use by any number of threads.
 */
public final class FilterCompiler {
    /** The result of a match unless another snap length is given, in bytes: the whole packet. */
    public static final int DEFAULT_SNAP_LENGTH = 262_144;

    /** The longest expression, in characters. */
    public static final int MAX_EXPRESSION_LENGTH = 1 << 20;

    /** The most blocks that the optimiser accepts: it compares every pair. */
    private static final int MAX_BLOCKS_OPTIMIZED = 4096;

    private FilterCompiler() {}

    /**
     * Compiles and optimises an expression.
     *
     * @param linkType the link type, as capture files number it ({@link io.offhook.packet.LinkType})
     * @param snapLength what the program returns for a match, in bytes: 1 or more
     * @throws FilterException if the expression is malformed, if it cannot be evaluated on this link type, or if no
     *     packet can match it ({@link FilterException#isRejectsAll()})
     * @throws IllegalArgumentException if the snap length is below 1
     */
    public static BpfProgram compile(String expression, int linkType, int snapLength) {
        return compile(expression, linkType, snapLength, false, true);
    }

    /**
     * As {@link #compile}, but without the optimiser, as {@code tcpdump -O}. It does not detect expressions that reject
     * all packets.
     */
    public static BpfProgram compileUnoptimized(String expression, int linkType, int snapLength) {
        return compile(expression, linkType, snapLength, false, false);
    }

    /**
     * As {@link #compile}, for a capture from a machine of the given byte order. The byte order matters for BSD
     * loopback ({@link io.offhook.packet.LinkType#NULL}), whose header is in the byte order of the capturing machine.
     *
     * @param isBigEndian whether the file is big-endian
     */
    public static BpfProgram compile(String expression, int linkType, int snapLength, boolean isBigEndian) {
        return compile(expression, linkType, snapLength, isBigEndian, true);
    }

    private static BpfProgram compile(
            String expression, int linkType, int snapLength, boolean isBigEndian, boolean isOptimized) {
        if (snapLength < 1) {
            throw new IllegalArgumentException("snapLength " + snapLength + " bytes is below 1");
        }
        if (expression.length() > MAX_EXPRESSION_LENGTH) {
            throw new FilterException(
                    "expression of " + expression.length() + " characters; the limit is " + MAX_EXPRESSION_LENGTH,
                    "",
                    -1);
        }
        LinkPosition state = LinkLayouts.layout(expression, Dlt.of(linkType), isBigEndian);
        @Nullable Expression tree = Parser.parse(expression);
        Block root = CodeGenerator.generate(tree, state, snapLength);
        if (isOptimized && !state.isFixed) {
            root = optimize(root, expression);
        }
        return Emitter.emit(root, expression);
    }

    private static Block optimize(Block root, String expression) {
        if (FlowGraph.preorder(root).size() > MAX_BLOCKS_OPTIMIZED) {
            return root;
        }
        Block start;
        try {
            start = Optimizer.optimize(root);
        } catch (ArithmeticException e) {
            throw new FilterException(String.valueOf(e.getMessage()), expression, -1);
        }
        if (start.isReturn() && start.k == 0) {
            throw FilterException.rejectsAll(expression);
        }
        return start;
    }
}
