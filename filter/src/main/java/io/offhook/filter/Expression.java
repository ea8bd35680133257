package io.offhook.filter;

import org.jspecify.annotations.Nullable;

/** The syntax tree of a filter: what {@link Parser} makes and {@link CodeGenerator} walks. The offset is its place. */
sealed interface Expression {
    int offset();

    record And(Expression left, Expression right, int offset) implements Expression {}

    record Or(Expression left, Expression right, int offset) implements Expression {}

    record Not(Expression operand, int offset) implements Expression {}

    /**
     * A value and what it is of: {@code tcp port 80}, {@code net 10.0.0.0/8}.
     *
     * @param mask after {@code mask}; null where there is none
     * @param prefix bits after a slash, unsigned; -1 where there is none
     */
    record Match(
            Qualifiers qualifiers, Token value, @Nullable Token mask, long prefix, int offset) implements Expression {}

    /** A protocol alone: {@code tcp}. */
    record Named(Protocol protocol, int offset) implements Expression {}

    /**
     * A comparison, unsigned.
     *
     * @param operation JEQ, JGT or JGE
     * @param isInverse whether its opposite is meant
     */
    record Relation(int operation, boolean isInverse, Arithmetic left, Arithmetic right, int offset)
            implements Expression {}

    record Broadcast(Protocol protocol, int offset) implements Expression {}

    record Multicast(Protocol protocol, int offset) implements Expression {}

    /** {@code less}, which is at most, and {@code greater}, which is at least. */
    record LengthLimit(boolean isLess, int limit, int offset) implements Expression {}

    /** {@code byte 4 = 17}: the old form of {@code link[4] = 17}. */
    record ByteTest(int index, String operator, int value, int offset) implements Expression {}

    record Direction(boolean isOutbound, int offset) implements Expression {}

    record InterfaceIndex(int index, int offset) implements Expression {}

    /**
     * A layer that what follows in the expression is inside of: vlan, mpls, pppoes, geneve; and pppoed.
     *
     * @param number the VLAN, label, session or network; null where any will do
     */
    record Layer(String word, @Nullable Integer number, int offset) implements Expression {}

    /** Of pf's log: ifname, rset, rnr, srnr, reason or action. */
    record FirewallLog(String word, Token value, int offset) implements Expression {}

    /** Type and subtype of an IEEE 802.11 frame: {@code link[0] & mask = type}. */
    record WirelessType(int type, int mask, int offset) implements Expression {}

    /** To and from the distribution system: the low bits of the second byte of an IEEE 802.11 frame. */
    record WirelessDirection(int direction, int offset) implements Expression {}

    /** @param kind i, s, u or the name of one of their kinds; null where any will do */
    record Llc(@Nullable String kind, int offset) implements Expression {}

    /** Kinds of ATM cells and of SS7 signal units, by their keyword. */
    record Signalling(String word, int offset) implements Expression {}

    /** A field of ATM or SS7 compared with a number: {@code vci > 5}. */
    record SignallingField(String word, int operation, boolean isInverse, int value, int offset)
            implements Expression {}
}
