package io.offhook.filter;

/**
 * Where the headers are that the tests of an expression look at. Layers such as {@code vlan} and {@code pppoes} move them
 * for all that follows in the expression, so this changes while code is made. Also hands out memory words.
 */
final class LinkState {
    /** Of an offset that this link type does not have. */
    static final int NOT_SET = -1;

    /** An offset from the start of the packet: a constant, and what a memory word has at run time if it is variable. */
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
    /** Of the packet as it was captured. */
    final int outermostLinkType;

    /** Whether the capture comes from a machine of the other byte order than the one that little-endian files are of. */
    final boolean isBigEndian;

    /** Of the link header that tests look at now: another one after {@code pppoes}, {@code geneve} or {@code lane}. */
    int linkType;

    int previousLinkType;
    final Offset header = new Offset();
    final Offset previousHeader = new Offset();
    /** What follows the link header, LLC included. */
    final Offset payload = new Offset();
    /** The field that says what the payload is; its constant is NOT_SET where there is none. */
    final Offset type = new Offset();
    /** The network header from the payload on, behind LLC and SNAP where the link has them; and behind LLC alone. */
    int network;

    int networkBehindLlc;

    boolean isGeneve;
    int labels;

    // ATM: a pseudo-header, then the cells' payload
    boolean isAtm;
    int atmPayload = NOT_SET;

    // SS7: the length indicator and the fields of MTP3
    int lengthIndicator = NOT_SET;
    int longLengthIndicator = NOT_SET;
    int serviceInformation = NOT_SET;
    int pointCodes = NOT_SET;
    int linkSelection = NOT_SET;

    /** Whether there is code that the optimiser does not understand: jumps among the statements of a block. */
    boolean isFixed;

    /** The offset in the expression of what is compiled now, for messages. */
    int place;

    private final boolean[] isUsed = new boolean[BpfOpcode.MEMORY_WORDS];
    private int nextRegister;

    LinkState(String expression, int linkType, boolean isBigEndian) {
        this.expression = expression;
        this.outermostLinkType = linkType;
        this.isBigEndian = isBigEndian;
        this.linkType = linkType;
        this.previousLinkType = linkType;
    }

    FilterException error(String reason) {
        return new FilterException(reason, expression, place);
    }

    /** Enters a link header inside of another one. */
    void enter(int linkType, Offset at) {
        previousLinkType = this.linkType;
        previousHeader.set(header);
        this.linkType = linkType;
        header.set(at);
        isGeneve = false;
    }

    /** A memory word that is free. */
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
