package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.*;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code protochain}: follows the extension headers of IPv6, and the authentication header of both versions, to the
 * given protocol. The code loops with JA, which the kernel does not accept.
 *
 * <p>As in libpcap, the position after an authentication header is computed from the network header instead of that
 * header. What follows it, other than its own "next header", may therefore be missed.
 */
final class ProtocolChain {
    private static final int NO_NEXT_HEADER = 59;
    private static final int AUTHENTICATION = 51;
    private static final int[] EXTENSIONS = {0, 60, 43, 44}; // hop-by-hop and destination options, routing, fragment

    private final LinkPosition state;
    private final LinkTypes linkTypes;
    private final List<Statement> code = new ArrayList<>();

    private ProtocolChain(LinkPosition state, LinkTypes linkTypes) {
        this.state = state;
        this.linkTypes = linkTypes;
    }

    static Condition in(LinkPosition state, LinkTypes linkTypes, KeywordProtocol outer, int number) {
        int register = state.allocate();
        return switch (outer) {
            case ANY -> {
                Condition ipv4 = in(state, linkTypes, KeywordProtocol.IP, number);
                yield ipv4.or(in(state, linkTypes, KeywordProtocol.IP6, number));
            }
            case IP, IP6 -> {
                if (state.payload.isVariable) {
                    throw state.error("'protochain' not supported with variable length headers");
                }
                state.isFixed = true;
                Condition condition =
                        new ProtocolChain(state, linkTypes).build(outer == KeywordProtocol.IP6, number, register);
                state.free(register);
                yield condition;
            }
            default -> throw state.error("bad protocol applied for 'protochain'");
        };
    }

    private Condition build(boolean isIpv6, int number, int register) {
        final Condition ip = linkTypes.is(isIpv6 ? LinkTypes.IPV6 : LinkTypes.IP);
        int header = state.payload.constant + state.network;
        add(LD | ABS | B, header + (isIpv6 ? 6 : 9));
        if (isIpv6) {
            add(LDX | IMM, 40);
        } else {
            add(LDX | MSH | B, header);
        }
        int again = code.size();
        final Statement isWanted = add(JMP | JEQ, number);
        final Statement isLast = add(JMP | JEQ, NO_NEXT_HEADER);
        isWanted.whenFalse = isLast;
        Statement before = isLast;
        if (isIpv6) {
            before = addExtensions(before, header, register, again);
        } else {
            isLast.whenFalse = add(ALU | ADD, 0);
        }
        Statement isAuthentication = add(JMP | JEQ, AUTHENTICATION);
        if (isIpv6) {
            before.whenFalse = isAuthentication;
        }
        isAuthentication.whenTrue = addAuthentication(header, register, again);
        Statement end = add(ALU | ADD, 0);
        isWanted.whenTrue = end;
        isLast.whenTrue = end;
        isAuthentication.whenFalse = end;
        return ip.and(Condition.test(code, JEQ, number));
    }

    /** A = the next header, X = X + (length + 1) * 8, and again. */
    private Statement addExtensions(Statement first, int header, int register, int again) {
        Statement before = first;
        List<Statement> tests = new ArrayList<>();
        for (int extension : EXTENSIONS) {
            Statement test = add(JMP | JEQ, extension);
            before.whenFalse = test;
            before = test;
            tests.add(test);
        }
        Statement advance = add(LD | IND | B, header);
        tests.forEach(test -> test.whenTrue = advance);
        add(ST, register);
        add(LD | IND | B, header + 1);
        add(ALU | ADD, 1);
        add(ALU | MUL, 8);
        add(ALU | ADD | X, 0);
        add(MISC | TAX, 0);
        add(LD | MEM, register);
        add(JMP | JA, again - code.size() - 1);
        return before;
    }

    /** A = the next header, X = (length + 2) * 4, and again. */
    private Statement addAuthentication(int header, int register, int again) {
        Statement start = add(MISC | TXA, 0);
        add(LD | IND | B, header);
        add(ST, register);
        add(MISC | TXA, 0);
        add(ALU | ADD, 1);
        add(MISC | TAX, 0);
        add(LD | IND | B, header);
        add(ALU | ADD, 2);
        add(ALU | MUL, 4);
        add(MISC | TAX, 0);
        add(LD | MEM, register);
        add(JMP | JA, again - code.size() - 1);
        return start;
    }

    private Statement add(int operation, int k) {
        Statement statement = new Statement(operation, k);
        code.add(statement);
        return statement;
    }
}
