package io.offhook.filter;

import org.jspecify.annotations.Nullable;

/**
 * The syntax tree of a filter, built by {@link Parser} and walked by {@link CodeGenerator}. {@code offset} is the
 * position in the expression, in characters.
 */
sealed interface Expression {
    int offset();

    record And(Expression left, Expression right, int offset) implements Expression {}

    record Or(Expression left, Expression right, int offset) implements Expression {}

    record Not(Expression operand, int offset) implements Expression {}

    /**
     * A value with its qualifiers: {@code tcp port 80}, {@code net 10.0.0.0/8}.
     *
     * @param mask the value after {@code mask}; null if there is none
     * @param prefix the bits after a slash, unsigned; -1 if there are none
     */
    record Match(
            Qualifiers qualifiers, Token value, @Nullable Token mask, long prefix, int offset) implements Expression {}

    /** A protocol on its own: {@code tcp}. */
    record Named(KeywordProtocol protocol, int offset) implements Expression {}

    /**
     * An unsigned comparison.
     *
     * @param operation JEQ, JGT or JGE
     * @param isInverse whether the comparison is negated
     */
    record Relation(int operation, boolean isInverse, Arithmetic left, Arithmetic right, int offset)
            implements Expression {}

    record Broadcast(KeywordProtocol protocol, int offset) implements Expression {}

    record Multicast(KeywordProtocol protocol, int offset) implements Expression {}

    /** {@code less}, which means at most, and {@code greater}, which means at least. */
    record LengthLimit(boolean isLess, int limit, int offset) implements Expression {}

    /** {@code byte 4 = 17}: the old form of {@code link[4] = 17}. */
    record ByteTest(int index, String operator, int value, int offset) implements Expression {}

    record Direction(boolean isOutbound, int offset) implements Expression {}

    record InterfaceIndex(int index, int offset) implements Expression {}

    /**
     * A layer that encloses whatever follows in the expression: vlan, mpls, pppoes, geneve; also pppoed.
     *
     * @param number the VLAN, label, session or network; null for any
     */
    record Layer(String word, @Nullable Integer number, int offset) implements Expression {}

    /** A field of the pf log: ifname, rset, rnr, srnr, reason or action. */
    record FirewallLog(String word, Token value, int offset) implements Expression {}

    /** Type and subtype of an IEEE 802.11 frame: {@code link[0] & mask = type}. */
    record WirelessType(int type, int mask, int offset) implements Expression {}

    /** To and from the distribution system: the two low bits of the second byte of an IEEE 802.11 frame. */
    record WirelessDirection(int direction, int offset) implements Expression {}

    /** @param kind i, s, u or one of their kinds; null for any */
    record Llc(@Nullable String kind, int offset) implements Expression {}

    /** A kind of ATM cell or SS7 signal unit, by its keyword. */
    record Signalling(String word, int offset) implements Expression {}

    /** A field of ATM or SS7 compared with a number: {@code vci > 5}. */
    record SignallingField(String word, int operation, boolean isInverse, int value, int offset)
            implements Expression {}
}
