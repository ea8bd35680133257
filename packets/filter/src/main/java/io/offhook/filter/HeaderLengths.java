package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.*;

import java.util.ArrayList;
import java.util.List;

/**
 * Generates code at the start of a program that computes the lengths of variable headers, if any test needs them: the
 * radio header before an IEEE 802.11 frame, the IEEE 802.11 header and the header of the pf log.
 */
final class HeaderLengths {
    private static final int WIRELESS_MINIMUM = 24;
    private static final int PRISM_LENGTH = 144;

    private final LinkPosition state;

    HeaderLengths(LinkPosition state) {
        this.state = state;
    }

    /** Inserts the code before the first statement of a program. */
    void insert(Block first) {
        if (state.payload.register >= 0 && state.header.isVariable && state.header.register < 0) {
            state.header.register = state.allocate();
        }
        List<Statement> code = switch (state.outermostLinkType) {
            case Dlt.PRISM_HEADER -> prism();
            case Dlt.IEEE802_11_RADIO_AVS -> kept(Loads.code(LD | ABS | W, 4), state.header);
            case Dlt.IEEE802_11_RADIO, Dlt.PPI -> kept(littleEndianLength(), state.header);
            case Dlt.PFLOG -> firewallLog();
            default -> new ArrayList<>();
        };
        if (Dlt.isWireless(state.outermostLinkType) && state.payload.register >= 0) {
            addWireless(code, first.statements.get(0));
        }
        code.addAll(first.statements);
        first.statements = code;
    }

    /** Stores the offset in A in its memory word and copies it to X; empty if no test uses the offset. */
    private static List<Statement> kept(List<Statement> code, LinkPosition.Offset offset) {
        if (offset.register < 0) {
            return new ArrayList<>();
        }
        Loads.add(code, ST, offset.register);
        return Loads.add(code, MISC | TAX, 0);
    }

    /** The header length of radiotap and PPI: two bytes, little-endian, at offset 2. */
    private static List<Statement> littleEndianLength() {
        List<Statement> code = Loads.code(LD | ABS | B, 3);
        Loads.add(code, ALU | LSH, 8);
        Loads.add(code, MISC | TAX, 0);
        Loads.add(code, LD | ABS | B, 2);
        return Loads.add(code, ALU | OR | X, 0);
    }

    /** The header length of the pf log: the first byte, without the padding to a multiple of four. */
    private List<Statement> firewallLog() {
        List<Statement> code = Loads.code(LD | ABS | B, 0);
        Loads.add(code, ALU | ADD, 3);
        Loads.add(code, ALU | AND, ~3);
        return kept(code, state.payload);
    }

    /**
     * The length of a Prism header or, recognised by its first bytes, of an AVS header, which some drivers use under
     * the same link type.
     */
    private List<Statement> prism() {
        state.isFixed = true;
        List<Statement> code = Loads.code(LD | ABS | W, 0);
        Loads.add(code, ALU | AND, 0xffff_f000);
        Statement isAvs = new Statement(JMP | JEQ, 0x8021_1000);
        code.add(isAvs);
        isAvs.whenTrue = new Statement(LD | ABS | W, 4);
        code.add(isAvs.whenTrue);
        Loads.add(code, JMP | JA, 1);
        isAvs.whenFalse = new Statement(LD | IMM, PRISM_LENGTH);
        code.add(isAvs.whenFalse);
        return kept(code, state.header);
    }

    /** Expects the start of the frame in X: 24 bytes of header, and 2 more in a data frame with QoS. */
    private void addWireless(List<Statement> code, Statement next) {
        state.isFixed = true;
        if (code.isEmpty()) {
            Loads.add(code, LDX | IMM, 0);
        }
        int register = state.payload.register;
        Loads.add(code, MISC | TXA, 0);
        Loads.add(code, ALU | ADD, WIRELESS_MINIMUM);
        Loads.add(code, ST, register);
        Loads.add(code, LD | IND | B, 0);
        Statement isData = add(code, JMP | JSET, 0x08);
        Statement isControl = add(code, JMP | JSET, 0x04);
        Statement hasQuality = add(code, JMP | JSET, 0x80);
        isData.whenTrue = isControl;
        isData.whenFalse = next;
        isControl.whenTrue = next;
        isControl.whenFalse = hasQuality;
        hasQuality.whenTrue = add(code, LD | MEM, register);
        Loads.add(code, ALU | ADD, 2);
        Loads.add(code, ST, register);
        hasQuality.whenFalse = state.linkType == Dlt.IEEE802_11_RADIO ? addPadding(code, next) : next;
    }

    /**
     * Skips the padding of the header to a multiple of four bytes, if radiotap's flags indicate it. The flags are
     * little-endian, so the masks are byte-swapped.
     */
    private Statement addPadding(List<Statement> code, Statement next) {
        final Statement start = add(code, LD | ABS | W, 4);
        Statement hasFlags = add(code, JMP | JSET, 0x0200_0000);
        Statement hasMoreWords = add(code, JMP | JSET, 0x0000_0080);
        Statement hasTime = add(code, JMP | JSET, 0x0100_0000);
        hasFlags.whenTrue = hasMoreWords;
        hasFlags.whenFalse = next;
        hasMoreWords.whenTrue = next;
        hasMoreWords.whenFalse = hasTime;
        hasTime.whenTrue = add(code, LD | ABS | B, 16);
        Statement isPaddedBehindTime = add(code, JMP | JSET, 0x20);
        hasTime.whenFalse = add(code, LD | ABS | B, 8);
        Statement isPadded = add(code, JMP | JSET, 0x20);
        Statement round = add(code, LD | MEM, state.payload.register);
        Loads.add(code, ALU | ADD, 3);
        Loads.add(code, ALU | AND, ~3);
        Loads.add(code, ST, state.payload.register);
        isPaddedBehindTime.whenTrue = round;
        isPaddedBehindTime.whenFalse = next;
        isPadded.whenTrue = round;
        isPadded.whenFalse = next;
        return start;
    }

    private static Statement add(List<Statement> code, int operation, int k) {
        Statement statement = new Statement(operation, k);
        code.add(statement);
        return statement;
    }
}
