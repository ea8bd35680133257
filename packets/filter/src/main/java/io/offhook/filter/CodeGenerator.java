package io.offhook.filter;

import static io.offhook.filter.BpfOpcode.*;
import static io.offhook.filter.Loads.Base.*;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Generates code from the syntax tree. It walks the tree from left to right, because layers such as {@code vlan} move
 * the offsets of everything that follows.
 */
final class CodeGenerator {
    private static final int SLL_OUTGOING = 4;

    // fields of the pf log header (OpenBSD's struct pfloghdr)
    private static final int PF_ACTION = 2;
    private static final int PF_REASON = 3;
    private static final int PF_INTERFACE = 4;
    private static final int PF_RULESET = 20;
    private static final int PF_RULE = 36;
    private static final int PF_SUBRULE = 40;
    private static final int PF_DIRECTION = 60;
    private static final int PF_NAME_LENGTH = 16;

    private final LinkPosition state;
    private final Loads loads;
    private final LinkTypes linkTypes;
    private final MacAddresses macs;
    private final KeywordProtocols protocols;
    private final Values values;
    private final Layers layers;
    private final Signalling signalling;
    private final ArithmeticGenerator arithmetic;

    private CodeGenerator(LinkPosition state) {
        this.state = state;
        loads = new Loads(state);
        linkTypes = new LinkTypes(state, loads);
        macs = new MacAddresses(state, loads, linkTypes);
        protocols = new KeywordProtocols(state, loads, linkTypes);
        IpAddresses addresses = new IpAddresses(state, loads, linkTypes);
        Ports ports = new Ports(loads, linkTypes, state);
        values = new Values(state, linkTypes, macs, addresses, ports, protocols);
        layers = new Layers(state, loads, linkTypes, ports);
        signalling = new Signalling(state, loads);
        arithmetic = new ArithmeticGenerator(state, loads, linkTypes, protocols, ports);
    }

    /** @return the first block of the program, which returns {@code snapLength} on a match */
    static Block generate(@Nullable Expression tree, LinkPosition state, int snapLength) {
        Block yes = Block.returning(snapLength);
        if (tree == null) {
            return yes;
        }
        Block no = Block.returning(0);
        CodeGenerator generator = new CodeGenerator(state);
        Block first = generator.condition(tree).link(yes, no);
        new HeaderLengths(state).insert(first);
        if (state.linkType == Dlt.PPI) {
            int wireless = Integer.reverseBytes(Dlt.IEEE802_11);
            return generator.loads.equal(PACKET, 4, W, wireless).link(first, no);
        }
        return first;
    }

    /**
     * Iterates over chains of {@code and} and {@code or}, which may be long and are deep on the left side; only the
     * right side is recursive.
     */
    private Condition condition(Expression tree) {
        ArrayDeque<Expression> chain = new ArrayDeque<>();
        Expression leftmost = tree;
        while (leftmost instanceof Expression.And || leftmost instanceof Expression.Or) {
            chain.push(leftmost);
            leftmost = leftmost instanceof Expression.And and ? and.left() : ((Expression.Or) leftmost).left();
        }
        Condition condition = primitive(leftmost);
        while (!chain.isEmpty()) {
            Expression next = chain.pop();
            if (next instanceof Expression.And and) {
                condition = condition.and(condition(and.right()));
            } else if (next instanceof Expression.Or or) {
                condition = condition.or(condition(or.right()));
            }
        }
        return condition;
    }

    /**
     * Dispatches by hand, because a switch over types makes HotSpot generate a class at run time. The most frequent
     * primitives come first.
     */
    private Condition primitive(Expression tree) {
        state.place = tree.offset();
        if (tree instanceof Expression.Match match) {
            return values.match(match);
        }
        if (tree instanceof Expression.Named named) {
            return protocols.named(named.protocol());
        }
        if (tree instanceof Expression.Relation relation) {
            return arithmetic.relation(relation);
        }
        if (tree instanceof Expression.And || tree instanceof Expression.Or) {
            return condition(tree);
        }
        if (tree instanceof Expression.Not not) {
            return condition(not.operand()).not();
        }
        if (tree instanceof Expression.Layer layer) {
            return layers.layer(layer.word(), layer.number());
        }
        if (tree instanceof Expression.LengthLimit limit) {
            return lengthLimit(limit);
        }
        return ofLink(tree);
    }

    private Condition ofLink(Expression tree) {
        if (tree instanceof Expression.Broadcast broadcast) {
            return broadcast(broadcast.protocol());
        }
        if (tree instanceof Expression.Multicast multicast) {
            return multicast(multicast.protocol());
        }
        if (tree instanceof Expression.ByteTest test) {
            return byteTest(test);
        }
        if (tree instanceof Expression.Direction direction) {
            return direction(direction.isOutbound());
        }
        if (tree instanceof Expression.InterfaceIndex index) {
            return interfaceIndex(index.index());
        }
        if (tree instanceof Expression.FirewallLog log) {
            return firewallLog(log);
        }
        if (tree instanceof Expression.WirelessType type) {
            return wirelessType(type);
        }
        if (tree instanceof Expression.WirelessDirection direction) {
            return wirelessDirection(direction.direction());
        }
        if (tree instanceof Expression.Llc llc) {
            return llc(llc.kind());
        }
        if (tree instanceof Expression.Signalling kind) {
            return signalling.kind(kind.word());
        }
        return signalling.field((Expression.SignallingField) tree);
    }

    private Condition interfaceIndex(int index) {
        if (state.linkType != Dlt.LINUX_SLL2) {
            throw state.error("ifindex not supported on " + LinkNames.name(state.linkType) + " when reading savefiles");
        }
        return loads.equal(LINK_HEADER, 4, W, index);
    }

    private Condition wirelessType(Expression.WirelessType type) {
        if (!Dlt.isPlainWireless(state.linkType)) {
            throw state.error("802.11 link-layer types supported only on 802.11");
        }
        return loads.masked(LINK_HEADER, 0, B, type.type(), type.mask());
    }

    private Condition wirelessDirection(int direction) {
        if (!Dlt.isPlainWireless(state.linkType)) {
            throw state.error("frame direction supported only with 802.11 headers");
        }
        return loads.masked(LINK_HEADER, 1, B, direction, 3);
    }

    private Condition lengthLimit(Expression.LengthLimit limit) {
        return limit.isLess()
                ? Condition.test(Loads.code(LD | LEN, 0), JGT, limit.limit()).not()
                : Condition.test(Loads.code(LD | LEN, 0), JGE, limit.limit());
    }

    /** With {@code &} and {@code |} libpcap omits the load of the byte, so the test behaves as if the byte were 0. */
    private Condition byteTest(Expression.ByteTest test) {
        return switch (test.operator()) {
            case "=" -> loads.equal(LINK_HEADER, test.index(), B, test.value());
            case "<" -> loads.below(LINK_HEADER, test.index(), B, test.value());
            case ">" -> loads.above(LINK_HEADER, test.index(), B, test.value());
            default -> {
                int operation = "|".equals(test.operator()) ? OR : AND;
                yield Condition.test(Loads.code(ALU | operation, test.value()), JEQ, 0)
                        .not();
            }
        };
    }

    private Condition broadcast(KeywordProtocol protocol) {
        return switch (protocol) {
            case ANY, LINK -> macs.broadcast();
            case IP -> throw state.error("netmask not known, so 'ip broadcast' not supported");
            default -> throw state.error("only link-layer/IP broadcast filters supported");
        };
    }

    private Condition multicast(KeywordProtocol protocol) {
        return switch (protocol) {
            case ANY, LINK -> macs.multicast();
            case IP -> {
                Condition ip = linkTypes.is(LinkTypes.IP);
                yield ip.and(loads.atLeast(NETWORK, 16, B, 224));
            }
            case IP6 -> {
                Condition ip = linkTypes.is(LinkTypes.IPV6);
                yield ip.and(loads.equal(NETWORK, 24, B, 255));
            }
            default ->
                throw state.error("link-layer multicast filters supported only on"
                        + " ethernet/FDDI/token ring/ARCNET/802.11/ATM LANE/Fibre Channel");
        };
    }

    private Condition direction(boolean isOutbound) {
        if (Dlt.isJuniper(state.linkType)) {
            return loads.masked(LINK_HEADER, 3, B, isOutbound ? 0 : 1, 1);
        }
        return switch (state.linkType) {
            case Dlt.SLIP -> arithmetic.isFirstByteZero(isOutbound);
            case Dlt.IPNET -> loads.equal(LINK_HEADER, 2, H, isOutbound ? 1 : 2);
            case Dlt.LINUX_SLL -> negateUnless(isOutbound, loads.equal(LINK_HEADER, 0, H, SLL_OUTGOING));
            case Dlt.LINUX_SLL2 -> negateUnless(isOutbound, loads.equal(LINK_HEADER, 10, B, SLL_OUTGOING));
            case Dlt.PFLOG -> loads.equal(LINK_HEADER, PF_DIRECTION, B, isOutbound ? 2 : 1);
            case Dlt.PPP_PPPD -> loads.equal(LINK_HEADER, 0, B, isOutbound ? 1 : 0);
            default ->
                throw state.error("inbound/outbound not supported on " + LinkNames.name(state.linkType)
                        + " when reading savefiles");
        };
    }

    private static Condition negateUnless(boolean is, Condition condition) {
        return is ? condition : condition.not();
    }

    private Condition firewallLog(Expression.FirewallLog log) {
        String word = "rset".equals(log.word()) ? "ruleset" : log.word();
        Token value = log.value();
        int code = switch (word) {
            case "reason" -> value.kind() == Token.Kind.NUMBER ? value.number() : pfCode(word, value);
            case "action" -> pfCode(word, value);
            default -> 0;
        };
        if (state.linkType != Dlt.PFLOG) {
            throw state.error(word + " supported only on PF linktype");
        }
        return switch (word) {
            case "ifname" -> pfName(PF_INTERFACE, value.text(), "ifname interface names");
            case "ruleset" -> pfName(PF_RULESET, value.text(), "ruleset names");
            case "rnr" -> loads.equal(LINK_HEADER, PF_RULE, W, value.number());
            case "srnr" -> loads.equal(LINK_HEADER, PF_SUBRULE, W, value.number());
            case "reason" -> loads.equal(LINK_HEADER, PF_REASON, B, code);
            default -> loads.equal(LINK_HEADER, PF_ACTION, B, code);
        };
    }

    private int pfCode(String word, Token name) {
        Integer code =
                "reason".equals(word) ? ProtocolNames.pfReason(name.text()) : ProtocolNames.pfAction(name.text());
        if (code == null) {
            throw state.error("unknown PF " + word + " \"" + name.text() + '"');
        }
        return code;
    }

    private Condition pfName(int offset, String name, String what) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= PF_NAME_LENGTH) {
            throw state.error(what + " can only be " + (PF_NAME_LENGTH - 1) + " characters");
        }
        return loads.bytes(LINK_HEADER, offset, bytes);
    }

    /**
     * Tests for frames with LLC (IEEE 802.2), optionally of one kind by the control field: I, S, U or a kind of these.
     */
    private Condition llc(@Nullable String kind) {
        Integer code = kind == null ? Integer.valueOf(0) : ProtocolNames.llcKind(kind);
        if (code == null) {
            throw state.error("unknown LLC type name \"" + kind + '"');
        }
        Condition llc = llc();
        if (kind == null) {
            return llc;
        }
        if ("i".equals(kind)) {
            return llc.and(loads.hasBits(LINK_PAYLOAD, 2, B, 1).not());
        }
        int mask = kind.length() == 1 ? 0x03 : (code & 3) == 1 ? 0x0f : 0xef;
        return llc.and(loads.masked(LINK_PAYLOAD, 2, B, code, mask));
    }

    private Condition llc() {
        if (Dlt.isWireless(state.linkType)) {
            return linkTypes.wirelessData();
        }
        return switch (state.linkType) {
            case Dlt.EN10MB -> {
                Condition length =
                        loads.above(LINK_TYPE, 0, H, LinkTypes.MAX_LENGTH).not();
                yield length.and(loads.equal(LINK_PAYLOAD, 0, H, 0xffff).not()); // 0xffff is IPX without LLC
            }
            case Dlt.SUNATM -> signalling.llc();
            case Dlt.IEEE802, Dlt.FDDI, Dlt.ATM_RFC1483 -> Loads.always();
            default -> throw state.error("'llc' not supported for " + LinkNames.name(state.linkType));
        };
    }
}
