package io.offhook.filter;

import org.jspecify.annotations.Nullable;

/**
 * Compiles expressions of pcap-filter(7) to classic BPF: for each link type the program that libpcap 1.10 makes for a
 * capture file. What the language is, and where it stops, says docs/FILTER.md.
 *
 * <p>Nothing of the machine is read: names of ports and protocols are those of a table in this module, so that a filter
 * means the same everywhere. Any thread may call it.
 */
public final class FilterCompiler {
    /** What programs return for a match where nothing else is asked for: the whole packet. */
    public static final int DEFAULT_SNAP_LENGTH = 262_144;

    /** The most characters of an expression. */
    public static final int MAX_EXPRESSION_LENGTH = 1 << 20;

    /** The most blocks that the optimiser takes: it looks at each pair. */
    private static final int MAX_BLOCKS_OPTIMIZED = 4096;

    private FilterCompiler() {}

    /**
     * Compiles and optimises.
     *
     * @param linkType as capture files number it ({@link io.offhook.packet.LinkType})
     * @param snapLength what the program returns for a match, in bytes: 1 or more
     * @throws FilterException where the expression is none, where this link type cannot answer it, or where no packet can
     *     match it ({@link FilterException#isRejectsAll()})
     * @throws IllegalArgumentException where the snap length is below 1
     */
    public static BpfProgram compile(String expression, int linkType, int snapLength) {
        return compile(expression, linkType, snapLength, false, true);
    }

    /** As {@link #compile}, without the optimiser: as {@code tcpdump -O}. Never finds that all packets are rejected. */
    public static BpfProgram compileUnoptimized(String expression, int linkType, int snapLength) {
        return compile(expression, linkType, snapLength, false, false);
    }

    /**
     * As {@link #compile}, for a capture of a machine of either byte order: it makes a difference for BSD loopback
     * ({@link io.offhook.packet.LinkType#NULL}), whose header is in the order of the machine that captured.
     *
     * @param isBigEndian whether the file is big-endian
     */
    public static BpfProgram compile(String expression, int linkType, int snapLength, boolean isBigEndian) {
        return compile(expression, linkType, snapLength, isBigEndian, true);
    }

    private static BpfProgram compile(
            String expression, int linkType, int snapLength, boolean isBigEndian, boolean isOptimized) {
        if (snapLength < 1) {
            throw new IllegalArgumentException("snapLength " + snapLength + " is below 1");
        }
        if (expression.length() > MAX_EXPRESSION_LENGTH) {
            throw new FilterException(
                    "expression of " + expression.length() + " characters is longer than " + MAX_EXPRESSION_LENGTH,
                    "",
                    -1);
        }
        LinkState state = LinkLayouts.layout(expression, Dlt.of(linkType), isBigEndian);
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
