package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.*;

import java.util.ArrayList;
import java.util.List;

/** Code that loads a field into A, and tests of a single field, of which all other tests are composed. */
final class Loads {
    /** What an offset is relative to. */
    enum Base {
        PACKET,
        LINK_HEADER,
        PREVIOUS_LINK_HEADER,
        LINK_TYPE,
        /** The payload of the link header: LLC, if there is any. */
        LINK_PAYLOAD,
        PREVIOUS_LABEL,
        NETWORK,
        NETWORK_BEHIND_LLC,
        BEHIND_IPV4,
        BEHIND_IPV6
    }

    private final LinkPosition state;

    Loads(LinkPosition state) {
        this.state = state;
    }

    /** A single statement, in a growable list. */
    static List<Statement> code(int code, int k) {
        List<Statement> statements = new ArrayList<>();
        statements.add(new Statement(code, k));
        return statements;
    }

    static List<Statement> add(List<Statement> statements, int code, int k) {
        statements.add(new Statement(code, k));
        return statements;
    }

    /** Loads the variable part of an offset into X; no code if the offset is constant. */
    List<Statement> intoX(LinkPosition.Offset offset) {
        List<Statement> statements = new ArrayList<>();
        if (offset.isVariable) {
            if (offset.register < 0) {
                offset.register = state.allocate();
            }
            add(statements, LDX | MEM, offset.register);
        }
        return statements;
    }

    /** Loads the length of the IPv4 header, plus the variable part of the offset before it, into X. */
    List<Statement> ipv4LengthIntoX() {
        List<Statement> statements = intoX(state.payload);
        int header = state.payload.constant + state.network;
        if (statements.isEmpty()) {
            return code(LDX | MSH | B, header);
        }
        add(statements, LD | IND | B, header);
        add(statements, ALU | AND, 0xf);
        add(statements, ALU | LSH, 2);
        add(statements, ALU | ADD | X, 0);
        return add(statements, MISC | TAX, 0);
    }

    /** @param size W, H or B */
    List<Statement> load(Base base, int offset, int size) {
        return switch (base) {
            case PACKET -> code(LD | ABS | size, offset);
            case LINK_HEADER -> load(state.header, offset, size);
            case PREVIOUS_LINK_HEADER -> load(state.previousHeader, offset, size);
            case LINK_TYPE -> load(state.type, offset, size);
            case LINK_PAYLOAD -> load(state.payload, offset, size);
            case PREVIOUS_LABEL -> load(state.payload, state.network - 4 + offset, size);
            case NETWORK -> load(state.payload, state.network + offset, size);
            case NETWORK_BEHIND_LLC -> load(state.payload, state.networkBehindLlc + offset, size);
            case BEHIND_IPV4 ->
                add(ipv4LengthIntoX(), LD | IND | size, state.payload.constant + state.network + offset);
            case BEHIND_IPV6 -> load(state.payload, state.network + 40 + offset, size);
        };
    }

    private List<Statement> load(LinkPosition.Offset from, int offset, int size) {
        List<Statement> statements = intoX(from);
        int mode = statements.isEmpty() ? ABS : IND;
        return add(statements, LD | mode | size, from.constant + offset);
    }

    Condition equal(Base base, int offset, int size, int value) {
        return Condition.test(load(base, offset, size), JEQ, value);
    }

    Condition masked(Base base, int offset, int size, int value, int mask) {
        return compare(base, offset, size, mask, JEQ, false, value);
    }

    Condition hasBits(Base base, int offset, int size, int bits) {
        return Condition.test(load(base, offset, size), JSET, bits);
    }

    Condition above(Base base, int offset, int size, int value) {
        return Condition.test(load(base, offset, size), JGT, value);
    }

    Condition atLeast(Base base, int offset, int size, int value) {
        return Condition.test(load(base, offset, size), JGE, value);
    }

    Condition below(Base base, int offset, int size, int value) {
        return atLeast(base, offset, size, value).not();
    }

    Condition atMost(Base base, int offset, int size, int value) {
        return above(base, offset, size, value).not();
    }

    /**
     * Compares the bits in {@code mask} by {@code operation}.
     *
     * @param isInverse for JGT and JGE; libpcap does not negate JEQ, so {@code vpi != 5} means {@code vpi = 5}
     */
    Condition compare(Base base, int offset, int size, int mask, int operation, boolean isInverse, int value) {
        List<Statement> statements = load(base, offset, size);
        if (mask != -1) {
            add(statements, ALU | AND, mask);
        }
        Condition condition = Condition.test(statements, operation, value);
        return isInverse && operation != JEQ ? condition.not() : condition;
    }

    /**
     * Tests that the bytes equal {@code value}: in words of four from the end, where addresses tend to differ, then the
     * remainder.
     */
    Condition bytes(Base base, int offset, byte[] value) {
        int left = value.length;
        Condition condition = null;
        while (left > 0) {
            int bytes = left >= 4 ? 4 : left >= 2 ? 2 : 1;
            left -= bytes;
            int word = 0;
            for (int i = 0; i < bytes; i++) {
                word = word << 8 | value[left + i] & 0xff;
            }
            int size = bytes == 4 ? W : bytes == 2 ? H : B;
            Condition test = equal(base, offset + left, size, word);
            condition = condition == null ? test : condition.and(test);
        }
        if (condition == null) {
            throw state.error("an empty name matches nothing");
        }
        return condition;
    }

    static Condition always() {
        return Condition.test(code(LD | IMM, 0), JEQ, 0);
    }

    static Condition never() {
        return Condition.test(code(LD | IMM, 1), JEQ, 0);
    }
}
