package io.offhook.filter;

/**
 * The offsets of the headers that the tests of an expression read. Layers such as {@code vlan} and {@code pppoes} move
 * them for everything that follows, so this state changes during code generation. It also allocates memory words.
 */
final class LinkPosition {
    /** An offset that this link type does not have. */
    static final int NOT_SET = -1;

    /** An offset from the start of the packet: a constant, plus a memory word at run time if it is variable. */
    static final class Offset {
        int constant;
        boolean isVariable;
        int register = -1;

        void set(Offset other) {
            constant = other.constant;
            isVariable = other.isVariable;
            register = other.register;
        }
    }

    final String expression;
    /** The link type of the packet as captured. */
    final int outermostLinkType;

    /** Whether the capturing machine was big-endian. */
    final boolean isBigEndian;

    /** The link type that tests currently apply to; {@code pppoes}, {@code geneve} and {@code lane} change it. */
    int linkType;

    int previousLinkType;
    final Offset header = new Offset();
    final Offset previousHeader = new Offset();
    /** The start of the link payload, including LLC. */
    final Offset payload = new Offset();
    /** The field that identifies the payload protocol; its constant is NOT_SET if there is none. */
    final Offset type = new Offset();
    /**
     * The offset of the network header from the payload, after LLC and SNAP if the link has them; and the offset after
     * LLC only.
     */
    int network;

    int networkBehindLlc;

    boolean isGeneve;
    int labels;

    // ATM: a pseudo-header, then the payload of the cell
    boolean isAtm;
    int atmPayload = NOT_SET;

    // SS7: the length indicator and the fields of MTP3
    int lengthIndicator = NOT_SET;
    int longLengthIndicator = NOT_SET;
    int serviceInformation = NOT_SET;
    int pointCodes = NOT_SET;
    int linkSelection = NOT_SET;

    /** Whether there is code that the optimiser does not support: jumps between the statements of a block. */
    boolean isFixed;

    /** The position in the expression of the code being generated, for messages. */
    int place;

    private final boolean[] isUsed = new boolean[BpfOpcode.MEMORY_WORDS];
    private int nextRegister;

    LinkPosition(String expression, int linkType, boolean isBigEndian) {
        this.expression = expression;
        this.outermostLinkType = linkType;
        this.isBigEndian = isBigEndian;
        this.linkType = linkType;
        this.previousLinkType = linkType;
    }

    FilterException error(String reason) {
        return new FilterException(reason, expression, place);
    }

    /** Enters a link header that is nested in another layer. */
    void enter(int linkType, Offset at) {
        previousLinkType = this.linkType;
        previousHeader.set(header);
        this.linkType = linkType;
        header.set(at);
        isGeneve = false;
    }

    /** Allocates a free memory word. */
    int allocate() {
        for (int i = 0; i < isUsed.length; i++) {
            if (!isUsed[nextRegister]) {
                isUsed[nextRegister] = true;
                return nextRegister;
            }
            nextRegister = (nextRegister + 1) % isUsed.length;
        }
        throw error("too many registers needed to evaluate expression");
    }

    void free(int register) {
        isUsed[register] = false;
    }
}
