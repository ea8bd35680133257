package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.*;
import static io.offhook.filter.Loads.Base.*;

import io.offhook.filter.Qualifiers.Direction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code vlan}, {@code mpls}, {@code pppoes} and {@code geneve}: each tests for a layer and moves the offsets, so that
 * everything that follows in the expression applies to the packet inside.
 */
final class Layers {
    private static final int MAX_VLAN = 0xfff;
    private static final int MAX_LABEL = 0xf_ffff;
    private static final int MAX_SESSION = 0xffff;
    private static final int MAX_NETWORK = 0xff_ffff;

    private static final int VLAN = 0x8100;
    private static final int VLAN_SERVICE = 0x88a8;
    private static final int VLAN_QINQ = 0x9100;
    private static final int MPLS = 0x8847;
    private static final int PPP_MPLS = 0x0281;
    private static final int PPPOE_DISCOVERY = 0x8863;
    private static final int PPPOE_SESSION = 0x8864;
    private static final int GENEVE_PORT = 6081;

    private final LinkPosition state;
    private final Loads loads;
    private final LinkTypes linkTypes;
    private final Ports ports;

    Layers(LinkPosition state, Loads loads, LinkTypes linkTypes, Ports ports) {
        this.state = state;
        this.loads = loads;
        this.linkTypes = linkTypes;
        this.ports = ports;
    }

    Condition layer(String word, @Nullable Integer number) {
        return switch (word) {
            case "vlan" -> vlan(number);
            case "mpls" -> mpls(number);
            case "pppoed" -> linkTypes.is(PPPOE_DISCOVERY);
            case "pppoes" -> pppoeSession(number);
            default -> geneve(number);
        };
    }

    private void check(String name, int number, int max) {
        if (Integer.compareUnsigned(number, max) > 0) {
            throw state.error(name + " " + Integer.toUnsignedString(number) + " greater than maximum " + max);
        }
    }

    private Condition vlan(@Nullable Integer number) {
        if (state.labels > 0) {
            throw state.error("no VLAN match after MPLS");
        }
        if (!Dlt.isEthernet(state.linkType) && !Dlt.isPlainWireless(state.linkType)) {
            throw state.error("no VLAN support for " + LinkNames.name(state.linkType));
        }
        Condition customer = linkTypes.is(VLAN);
        Condition either = customer.or(linkTypes.is(VLAN_SERVICE));
        Condition condition = either.or(linkTypes.is(VLAN_QINQ));
        if (number != null) {
            check("VLAN tag", number, MAX_VLAN);
            condition = condition.and(loads.masked(NETWORK, 0, H, number, MAX_VLAN));
        }
        state.payload.constant += 4;
        state.type.constant += 4;
        return condition;
    }

    private Condition mpls(@Nullable Integer number) {
        Condition condition;
        if (state.labels > 0) {
            condition = loads.masked(PREVIOUS_LABEL, 2, B, 0, 1); // not the bottom of the stack
        } else if (Dlt.isEthernet(state.linkType) || state.linkType == Dlt.C_HDLC) {
            condition = linkTypes.is(MPLS);
        } else if (state.linkType == Dlt.PPP) {
            condition = linkTypes.is(PPP_MPLS);
        } else {
            throw state.error("no MPLS support for " + LinkNames.name(state.linkType));
        }
        if (number != null) {
            check("MPLS label", number, MAX_LABEL);
            condition = condition.and(loads.masked(NETWORK, 0, W, number << 12, 0xffff_f000));
        }
        state.networkBehindLlc += 4;
        state.network += 4;
        state.labels++;
        return condition;
    }

    private Condition pppoeSession(@Nullable Integer number) {
        Condition condition = linkTypes.is(PPPOE_SESSION);
        if (number != null) {
            check("PPPoE session number", number, MAX_SESSION);
            condition = condition.and(loads.masked(NETWORK, 0, W, number, MAX_SESSION));
        }
        LinkPosition.Offset ppp = new LinkPosition.Offset();
        ppp.set(state.payload);
        ppp.constant += state.network + 6; // PPP follows the header of PPPoE
        state.enter(Dlt.PPP, ppp);
        state.type.set(state.header);
        state.payload.constant = state.header.constant + 2;
        state.network = 0;
        state.networkBehindLlc = 0;
        return condition;
    }

    private Condition geneve(@Nullable Integer number) {
        Condition inIpv4 = geneveHeader(
                ports.ipv4(GENEVE_PORT, GENEVE_PORT, false, Ports.UDP, Direction.DST), BEHIND_IPV4, number);
        List<Statement> headerLength = Loads.add(loads.ipv4LengthIntoX(), MISC | TXA, 0);
        inIpv4 = inIpv4.and(Condition.test(headerLength, JEQ | X, 0));

        Condition inIpv6 = geneveHeader(
                ports.ipv6(GENEVE_PORT, GENEVE_PORT, false, Ports.UDP, Direction.DST), BEHIND_IPV6, number);
        headerLength = loads.intoX(state.payload);
        boolean isVariable = !headerLength.isEmpty();
        Loads.add(headerLength, LD | IMM, 40);
        if (isVariable) {
            Loads.add(headerLength, ALU | ADD | X, 0);
        }
        Loads.add(headerLength, MISC | TAX, 0);
        inIpv6 = inIpv6.and(Condition.test(headerLength, JEQ | X, 0));

        Condition either = inIpv4.or(inIpv6);
        List<Statement> offsets = geneveOffsets();
        Loads.add(offsets, LD | IMM, 0);
        Condition condition = either.and(Condition.test(offsets, JEQ, 0));
        state.isGeneve = true;
        return condition;
    }

    /** Version 0, and the VNI if one is given. */
    private Condition geneveHeader(Condition port, Loads.Base base, @Nullable Integer number) {
        Condition condition = port.and(loads.masked(base, 8, B, 0, 0xc0));
        if (number != null) {
            check("Geneve VNI", number, MAX_NETWORK);
            condition = condition.and(loads.masked(base, 12, W, number << 8, 0xffff_ff00));
        }
        return condition;
    }

    /**
     * With the length of the IP header in A, stores the offsets of the protocol type, the inner header and its payload.
     * The inner header is an Ethernet header if Geneve's protocol type says so, otherwise there is none. Contains jumps
     * between statements, so the program is not optimised.
     */
    private List<Statement> geneveOffsets() {
        List<Statement> code = Loads.code(ALU | ADD, state.payload.constant + state.network + 8);
        Loads.add(code, MISC | TAX, 0);
        Loads.add(code, ALU | ADD, 2);
        state.type.register = state.allocate();
        state.type.isVariable = true;
        state.type.constant = 0;
        Loads.add(code, ST, state.type.register);
        Loads.add(code, LD | IND | B, 0);
        Loads.add(code, ALU | AND, 0x3f);
        Loads.add(code, ALU | MUL, 4);
        Loads.add(code, ALU | ADD, 8);
        Loads.add(code, ALU | ADD | X, 0);
        LinkPosition.Offset inner = new LinkPosition.Offset();
        inner.isVariable = true;
        inner.register = state.allocate();
        state.enter(Dlt.EN10MB, inner);
        Loads.add(code, ST, inner.register);
        state.isFixed = true;
        Loads.add(code, LD | IND | H, 2);
        Loads.add(code, LDX | MEM, inner.register);
        Statement isEthernet = new Statement(JMP | JEQ, LinkTypes.TRANSPARENT_ETHERNET);
        code.add(isEthernet);
        Statement skip = new Statement(MISC | TXA, 0);
        code.add(skip);
        isEthernet.whenTrue = skip;
        Loads.add(code, ALU | ADD, 12);
        Loads.add(code, ST, state.type.register);
        Loads.add(code, ALU | ADD, 2);
        Loads.add(code, MISC | TAX, 0);
        state.payload.register = state.allocate();
        state.payload.isVariable = true;
        state.payload.constant = 0;
        Statement keep = new Statement(STX, state.payload.register);
        code.add(keep);
        isEthernet.whenFalse = keep;
        state.network = 0;
        return code;
    }
}
