package io.offhook.filter;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses values with their masks, and primitives with a syntax of their own. */
final class PrimitiveParser {
    private final String expression;
    private final Parser.TokenReader tokens;

    PrimitiveParser(String expression, Parser.TokenReader tokens) {
        this.expression = expression;
        this.tokens = tokens;
    }

    /** A value other than a plain number: a name, an address or a network. */
    Expression match(Qualifiers qualifiers) {
        Token value = tokens.next();
        boolean isIp = value.kind() == Token.Kind.IPV4 || value.kind() == Token.Kind.IPV6;
        if (isIp && tokens.take("/")) {
            long prefix =
                    Integer.toUnsignedLong(tokens.expect(Token.Kind.NUMBER).number());
            return new Expression.Match(qualifiers, value, null, prefix, value.offset());
        }
        if (value.kind() == Token.Kind.IPV4 && tokens.take("mask")) {
            Token mask = tokens.expect(Token.Kind.IPV4);
            return new Expression.Match(qualifiers, value, mask, -1, value.offset());
        }
        return new Expression.Match(qualifiers, value, null, -1, value.offset());
    }

    /** The primitive whose keyword follows the protocol, if one was given; null if there is none. */
    @Nullable
    Expression primitive(KeywordProtocol protocol, Token start) {
        Token token = tokens.peek();
        if (token.kind() != Token.Kind.KEYWORD) {
            return null;
        }
        int offset = start.offset();
        return switch (token.text()) {
            case "broadcast" -> {
                tokens.next();
                yield new Expression.Broadcast(protocol, offset);
            }
            case "multicast" -> {
                tokens.next();
                yield new Expression.Multicast(protocol, offset);
            }
            case "type", "subtype", "dir" -> new WirelessParser(expression, tokens).primitive(offset);
            default -> protocol == KeywordProtocol.ANY ? alone(token, offset) : null;
        };
    }

    private @Nullable Expression alone(Token keyword, int offset) {
        String word = keyword.text();
        return switch (word) {
            case "less", "greater" -> {
                tokens.next();
                yield new Expression.LengthLimit("less".equals(word), number(), offset);
            }
            case "byte" -> {
                tokens.next();
                yield byteTest(offset);
            }
            case "llc" -> {
                tokens.next();
                yield llc(offset);
            }
            case "inbound", "outbound" -> {
                tokens.next();
                yield new Expression.Direction("outbound".equals(word), offset);
            }
            case "ifindex" -> {
                tokens.next();
                yield new Expression.InterfaceIndex(number(), offset);
            }
            case "vlan", "mpls", "pppoes", "geneve" -> {
                tokens.next();
                yield new Expression.Layer(word, optionalNumber(), offset);
            }
            case "pppoed" -> {
                tokens.next();
                yield new Expression.Layer(word, null, offset);
            }
            case "ifname", "rset", "rnr", "srnr", "reason", "action" -> {
                tokens.next();
                yield firewallLog(word, offset);
            }
            case "vpi", "vci", "sio", "opc", "dpc", "sls", "hsio", "hopc", "hdpc", "hsls" -> {
                tokens.next();
                yield signallingField(word, offset);
            }
            default -> signalling(word, offset);
        };
    }

    private @Nullable Expression signalling(String word, int offset) {
        return switch (word) {
            case "lane",
                    "metac",
                    "bcc",
                    "oamf4ec",
                    "oamf4sc",
                    "sc",
                    "ilmic",
                    "oam",
                    "oamf4",
                    "connectmsg",
                    "metaconnect",
                    "fisu",
                    "lssu",
                    "msu",
                    "hfisu",
                    "hlssu",
                    "hmsu" -> {
                tokens.next();
                yield new Expression.Signalling(word, offset);
            }
            default -> null;
        };
    }

    private int number() {
        return tokens.expect(Token.Kind.NUMBER).number();
    }

    /** A number, in brackets or not; null if neither a number nor a bracket follows. */
    private @Nullable Integer optionalNumber() {
        int open = 0;
        while (tokens.take("(")) {
            open++;
        }
        if (open == 0 && tokens.peek().kind() != Token.Kind.NUMBER) {
            return null;
        }
        int number = number();
        for (; open > 0; open--) {
            tokens.expect(")");
        }
        return number;
    }

    private Expression byteTest(int offset) {
        int index = number();
        Token operator = tokens.next();
        boolean isOperator =
                operator.is("&") || operator.is("|") || operator.is("<") || operator.is(">") || operator.is("=");
        if (!isOperator) {
            throw Parser.syntaxError(expression, operator.offset());
        }
        return new Expression.ByteTest(index, operator.text(), number(), offset);
    }

    private Expression firewallLog(String word, int offset) {
        Token value = tokens.next();
        boolean isName = value.kind() == Token.Kind.NAME;
        boolean isNumber = value.kind() == Token.Kind.NUMBER;
        boolean isGood = switch (word) {
            case "rnr", "srnr" -> isNumber;
            case "reason" -> isName || isNumber;
            default -> isName;
        };
        if (!isGood) {
            throw Parser.syntaxError(expression, value.offset());
        }
        return new Expression.FirewallLog(word, value, offset);
    }

    private Expression llc(int offset) {
        if (tokens.take("rnr")) {
            return new Expression.Llc("rnr", offset);
        }
        if (tokens.peek().kind() == Token.Kind.NAME) {
            return new Expression.Llc(tokens.next().text().toLowerCase(Locale.ROOT), offset);
        }
        return new Expression.Llc(null, offset);
    }

    private Expression signallingField(String word, int offset) {
        int operation = ArithmeticParser.relationOf(tokens.peek());
        if (operation >= 0) {
            boolean isInverse = ArithmeticParser.isInverse(tokens.next());
            return new Expression.SignallingField(word, operation, isInverse, number(), offset);
        }
        if (!tokens.take("(")) {
            return new Expression.SignallingField(word, BpfOpcode.JEQ, false, number(), offset);
        }
        Expression any = new Expression.SignallingField(word, BpfOpcode.JEQ, false, number(), offset);
        while (tokens.peek().is("or")) {
            Token or = tokens.next();
            Expression next = new Expression.SignallingField(word, BpfOpcode.JEQ, false, number(), offset);
            any = new Expression.Or(any, next, or.offset());
        }
        tokens.expect(")");
        return any;
    }
}
