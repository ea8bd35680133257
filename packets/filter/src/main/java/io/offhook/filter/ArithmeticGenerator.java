package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.*;
import static io.offhook.filter.Loads.Base.NETWORK;

import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates code for arithmetic and comparisons. Each intermediate value is stored in a memory word; the optimiser
 * removes most of these stores.
 */
final class ArithmeticGenerator {
    private final LinkPosition state;
    private final Loads loads;
    private final LinkTypes linkTypes;
    private final KeywordProtocols protocols;
    private final Ports ports;

    ArithmeticGenerator(LinkPosition state, Loads loads, LinkTypes linkTypes, KeywordProtocols protocols, Ports ports) {
        this.state = state;
        this.loads = loads;
        this.linkTypes = linkTypes;
        this.protocols = protocols;
        this.ports = ports;
    }

    /** The code of a value, the memory word that holds the result, and the condition under which the value exists. */
    private record Value(
            List<Statement> code, int register, @Nullable Condition guard) {}

    Condition relation(Expression.Relation relation) {
        Value left = value(relation.left());
        Value right = value(relation.right());
        return compare(relation.operation(), relation.isInverse(), left, right);
    }

    /** Tests whether the first byte of the link header is 0, or is not 0 if {@code isInverse}. */
    Condition isFirstByteZero(boolean isInverse) {
        Value zero = stored(Loads.code(LD | IMM, 0));
        Value first = load(KeywordProtocol.LINK, stored(Loads.code(LD | IMM, 0)), 1);
        return compare(JEQ, isInverse, first, zero);
    }

    private Condition compare(int operation, boolean isInverse, Value left, Value right) {
        List<Statement> code = left.code;
        code.addAll(right.code);
        Loads.add(code, LDX | MEM, right.register);
        Loads.add(code, LD | MEM, left.register);
        if (operation == JEQ) {
            Loads.add(code, ALU | SUB | X, 0);
        }
        Condition condition = Condition.test(code, operation == JEQ ? JEQ : operation | X, 0);
        if (isInverse) {
            condition = condition.not();
        }
        state.free(left.register);
        state.free(right.register);
        if (right.guard != null) {
            condition = right.guard.and(condition);
        }
        return left.guard == null ? condition : left.guard.and(condition);
    }

    private Value value(Arithmetic arithmetic) {
        state.place = arithmetic.offset();
        if (arithmetic instanceof Arithmetic.Constant constant) {
            return stored(Loads.code(LD | IMM, constant.value()));
        }
        if (arithmetic instanceof Arithmetic.Length) {
            return stored(Loads.code(LD | LEN, 0));
        }
        if (arithmetic instanceof Arithmetic.Operation operation) {
            return operations(operation);
        }
        if (arithmetic instanceof Arithmetic.Negation negation) {
            Value operand = value(negation.operand());
            Loads.add(operand.code, LD | MEM, operand.register);
            Loads.add(operand.code, ALU | NEG, 0);
            Loads.add(operand.code, ST, operand.register);
            return operand;
        }
        Arithmetic.Load load = (Arithmetic.Load) arithmetic;
        Value index = value(load.index());
        state.place = load.offset();
        return load(load.protocol(), index, load.size());
    }

    private Value stored(List<Statement> code) {
        int register = state.allocate();
        return new Value(Loads.add(code, ST, register), register, null);
    }

    /** Starts at the leftmost operand and iterates: a sum may be long, and its tree is as deep on the left side. */
    private Value operations(Arithmetic.Operation last) {
        ArrayDeque<Arithmetic.Operation> chain = new ArrayDeque<>();
        Arithmetic leftmost = last;
        while (leftmost instanceof Arithmetic.Operation operation) {
            chain.push(operation);
            leftmost = operation.left();
        }
        Value value = value(leftmost);
        while (!chain.isEmpty()) {
            value = operation(chain.pop(), value);
        }
        return value;
    }

    /** Drops the guard of the right operand, as libpcap does: {@code 1 + tcp[0]} does not test for TCP. */
    private Value operation(Arithmetic.Operation operation, Value left) {
        Value right = value(operation.right());
        state.place = operation.offset();
        Statement first = right.code.get(0);
        if (first.code == (LD | IMM)) {
            checkConstant(operation.operation(), first.k);
        }
        List<Statement> code = left.code;
        code.addAll(right.code);
        Loads.add(code, LDX | MEM, right.register);
        Loads.add(code, LD | MEM, left.register);
        Loads.add(code, ALU | operation.operation() | X, 0);
        state.free(left.register);
        state.free(right.register);
        int register = state.allocate();
        return new Value(Loads.add(code, ST, register), register, left.guard);
    }

    private void checkConstant(int operation, int k) {
        if (operation == DIV && k == 0) {
            throw state.error("division by zero");
        }
        if (operation == MOD && k == 0) {
            throw state.error("modulus by zero");
        }
        if ((operation == LSH || operation == RSH) && (k < 0 || k > 31)) {
            throw state.error("shift by more than 31 bits");
        }
    }

    private Value load(KeywordProtocol protocol, Value index, int bytes) {
        int register = state.allocate();
        state.free(index.register);
        int size = switch (bytes) {
            case 1 -> B;
            case 2 -> H;
            case 4 -> W;
            default -> throw state.error("data size must be 1, 2, or 4");
        };
        List<Statement> code = index.code;
        Condition guard = index.guard;
        switch (protocol) {
            case RADIO -> {
                if (!Dlt.isPlainWireless(state.linkType) || state.linkType == Dlt.IEEE802_11) {
                    throw state.error("radio information not present in capture");
                }
                Loads.add(code, LDX | MEM, index.register);
                Loads.add(code, LD | IND | size, 0);
            }
            case LINK -> loadAt(code, state.header, index, size, state.header.constant);
            case IP, ARP, RARP, ATALK, DECNET, SCA, LAT, MOPRC, MOPDL, IP6 -> {
                loadAt(code, state.payload, index, size, state.payload.constant + state.network);
                guard = both(guard, protocols.named(protocol));
            }
            case SCTP, TCP, UDP, ICMP, IGMP, IGRP, PIM, VRRP, CARP -> {
                code.addAll(loads.ipv4LengthIntoX());
                addIndex(code, index);
                Loads.add(code, LD | IND | size, state.payload.constant + state.network);
                Condition first = protocols.named(protocol).and(ports.isFirstFragment());
                guard = linkTypes.is(LinkTypes.IP).and(both(guard, first));
            }
            case ICMP6 -> {
                guard = both(guard, linkTypes.is(LinkTypes.IPV6));
                guard = guard.and(loads.equal(NETWORK, 6, B, 58));
                loadAt(code, state.payload, index, size, state.payload.constant + state.network + 40);
            }
            default -> throw state.error("unsupported index operation");
        }
        return new Value(Loads.add(code, ST, register), register, guard);
    }

    private static Condition both(@Nullable Condition first, Condition second) {
        return first == null ? second : first.and(second);
    }

    private void loadAt(List<Statement> code, LinkPosition.Offset from, Value index, int size, int constant) {
        List<Statement> variable = loads.intoX(from);
        if (variable.isEmpty()) {
            Loads.add(code, LDX | MEM, index.register);
        } else {
            code.addAll(variable);
            addIndex(code, index);
        }
        Loads.add(code, LD | IND | size, constant);
    }

    private static void addIndex(List<Statement> code, Value index) {
        Loads.add(code, LD | MEM, index.register);
        Loads.add(code, ALU | ADD | X, 0);
        Loads.add(code, MISC | TAX, 0);
    }
}
