package io.offhook.filter;

/**
 * A number computed from the packet: one side of a comparison, or the index of a load. {@code offset} is the position
 * in the expression, in characters.
 */
sealed interface Arithmetic {
    int offset();

    record Constant(int value, int offset) implements Arithmetic {}

    /** The wire length of the packet, in bytes. */
    record Length(int offset) implements Arithmetic {}

    /** {@code size} bytes at {@code index}, counted from the start of the protocol's header. */
    record Load(KeywordProtocol protocol, Arithmetic index, int size, int offset) implements Arithmetic {}

    record Negation(Arithmetic operand, int offset) implements Arithmetic {}

    /** @param operation an ALU operation of {@link BpfOpcode} */
    record Operation(int operation, Arithmetic left, Arithmetic right, int offset) implements Arithmetic {}
}
