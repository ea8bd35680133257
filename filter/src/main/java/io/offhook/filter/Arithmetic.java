package io.offhook.filter;

/** A number that is computed from the packet: one side of a comparison, or an index. The offset is where it begins. */
sealed interface Arithmetic {
    int offset();

    record Constant(int value, int offset) implements Arithmetic {}

    /** The length of the packet on the wire. */
    record Length(int offset) implements Arithmetic {}

    /** {@code size} bytes at {@code index} from where the protocol begins. */
    record Load(Protocol protocol, Arithmetic index, int size, int offset) implements Arithmetic {}

    record Negation(Arithmetic operand, int offset) implements Arithmetic {}

    /** @param operation as {@link BpfOpcode} has it for ALU */
    record Operation(int operation, Arithmetic left, Arithmetic right, int offset) implements Arithmetic {}
}
