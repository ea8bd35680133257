package io.offhook.filter;

import io.offhook.filter.Qualifiers.Direction;
import io.offhook.filter.Qualifiers.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses an expression. {@code and} and {@code or} have equal precedence and are left-associative; {@code not} binds
 * tighter. A value on its own after {@code and} or {@code or} inherits the qualifiers of the preceding primitive.
 *
 * <p>Whether a bracket holds an expression, values or a number is known only at its end. Brackets are therefore parsed
 * by a single method ({@link #list}) and classified afterwards.
 */
final class Parser {
    private static final int MAX_DEPTH = 500;

    private final String expression;
    private final TokenReader tokens;
    private final ArithmeticParser arithmetic;
    private final PrimitiveParser primitives;
    private int depth;

    /** The kind of a parsed operand: a term, a value that needs qualifiers, or a number. */
    private enum Form {
        TERM,
        VALUE,
        /** Values in brackets: may follow {@code and}, but not come first in other brackets. */
        BRACKETED_VALUES,
        /** A plain number, which may be a value or arithmetic. */
        NUMBER,
        ARITHMETIC
    }

    private record Parsed(
            Form form, @Nullable Expression tree, @Nullable Arithmetic arithmetic, Qualifiers qualifiers, Token start) {

        static Parsed term(Expression tree, Qualifiers qualifiers, Token start) {
            return new Parsed(Form.TERM, tree, null, qualifiers, start);
        }
    }

    private Parser(String expression) {
        this.expression = expression;
        this.tokens = new TokenReader(expression, Lexer.tokens(expression));
        this.arithmetic = new ArithmeticParser(tokens);
        this.primitives = new PrimitiveParser(expression, tokens);
    }

    /** @return null for an empty expression, which matches all packets */
    static @Nullable Expression parse(String expression) {
        Parser parser = new Parser(expression);
        if (parser.tokens.peek().kind() == Token.Kind.END) {
            return null;
        }
        Expression tree = parser.term(parser.list(Qualifiers.NONE, false));
        if (parser.tokens.peek().kind() != Token.Kind.END) {
            throw parser.tokens.unexpected();
        }
        return tree;
    }

    static FilterException syntaxError(String expression, int offset) {
        String hint = SyntaxHint.at(expression, offset);
        return new FilterException("can't parse filter expression: syntax error" + hint, expression, offset);
    }

    private Expression term(Parsed parsed) {
        if (parsed.form != Form.TERM || parsed.tree == null) {
            throw syntaxError(expression, isNumeric(parsed) ? tokens.peek().offset() : parsed.start.offset());
        }
        return parsed.tree;
    }

    private static boolean isNumeric(Parsed parsed) {
        return parsed.form == Form.NUMBER || parsed.form == Form.ARITHMETIC;
    }

    /** Parses operands joined by {@code and} and {@code or}; a single operand keeps its kind. */
    private Parsed list(Qualifiers inherited, boolean mayBeValue) {
        Parsed first = operand(inherited, mayBeValue);
        if (!isListed()) {
            return first;
        }
        if (first.form == Form.TERM) {
            return terms(first);
        }
        if (!mayBeValue || first.form == Form.BRACKETED_VALUES) {
            throw tokens.unexpected();
        }
        Expression tree = value(first, inherited);
        while (isListed()) {
            Token connective = tokens.next();
            tree = join(connective, tree, value(operand(inherited, true), inherited));
        }
        return new Parsed(Form.VALUE, tree, null, inherited, first.start);
    }

    private Parsed terms(Parsed first) {
        Expression tree = term(first);
        Qualifiers qualifiers = first.qualifiers;
        while (isListed()) {
            Token connective = tokens.next();
            Parsed next = operand(qualifiers, true);
            if (next.form == Form.TERM) {
                tree = join(connective, tree, term(next));
                qualifiers = next.qualifiers;
            } else {
                tree = join(connective, tree, value(next, qualifiers));
            }
        }
        return Parsed.term(tree, qualifiers, first.start);
    }

    private boolean isListed() {
        return tokens.peek().is("and") || tokens.peek().is("or");
    }

    private static Expression join(Token connective, Expression left, Expression right) {
        return connective.is("and")
                ? new Expression.And(left, right, connective.offset())
                : new Expression.Or(left, right, connective.offset());
    }

    private Expression value(Parsed parsed, Qualifiers qualifiers) {
        if (parsed.form == Form.NUMBER && parsed.arithmetic instanceof Arithmetic.Constant constant) {
            Token number = new Token(Token.Kind.NUMBER, "", constant.value(), parsed.start.offset());
            return new Expression.Match(qualifiers, number, null, -1, parsed.start.offset());
        }
        if (parsed.form == Form.ARITHMETIC || parsed.form == Form.TERM || parsed.tree == null) {
            throw syntaxError(
                    expression,
                    parsed.form == Form.TERM
                            ? parsed.start.offset()
                            : tokens.peek().offset());
        }
        return parsed.tree;
    }

    private Parsed operand(Qualifiers inherited, boolean mayBeValue) {
        if (++depth > MAX_DEPTH) {
            throw tokens.tooDeep(MAX_DEPTH);
        }
        try {
            Token token = tokens.peek();
            if (token.is("!")) {
                return negated(inherited, mayBeValue);
            }
            if (token.is("(")) {
                return bracketed(inherited, mayBeValue);
            }
            if (arithmetic.isStart()) {
                boolean isNumber = token.kind() == Token.Kind.NUMBER;
                return numeric(arithmetic.primary(), isNumber, token);
            }
            return switch (token.kind()) {
                case KEYWORD -> keyword();
                case NAME, IPV4, IPV6, MAC, ARCNET -> {
                    if (!mayBeValue) {
                        throw tokens.unexpected();
                    }
                    yield new Parsed(Form.VALUE, primitives.match(inherited), null, inherited, token);
                }
                default -> throw tokens.unexpected();
            };
        } finally {
            depth--;
        }
    }

    private Parsed negated(Qualifiers inherited, boolean mayBeValue) {
        Token not = tokens.next();
        Parsed operand = operand(inherited, mayBeValue);
        if (operand.form == Form.TERM) {
            return Parsed.term(new Expression.Not(term(operand), not.offset()), operand.qualifiers, not);
        }
        if (!mayBeValue) {
            throw isNumeric(operand) ? tokens.unexpected() : syntaxError(expression, operand.start.offset());
        }
        Expression tree = new Expression.Not(value(operand, inherited), not.offset());
        return new Parsed(Form.VALUE, tree, null, inherited, not);
    }

    private Parsed bracketed(Qualifiers inherited, boolean mayBeValue) {
        Token start = tokens.next();
        Parsed inner = list(inherited, mayBeValue);
        if (inner.form == Form.BRACKETED_VALUES) {
            throw tokens.unexpected();
        }
        tokens.expect(")");
        return switch (inner.form) {
            case TERM -> Parsed.term(term(inner), inherited, start);
            case VALUE -> new Parsed(Form.BRACKETED_VALUES, inner.tree, null, inherited, start);
            default -> numeric(inner.arithmetic, inner.form == Form.NUMBER, start);
        };
    }

    /** Continues after a number: with operators, then possibly a comparison, which makes it a term. */
    private Parsed numeric(@Nullable Arithmetic first, boolean isNumber, Token start) {
        if (first == null) {
            throw tokens.unexpected();
        }
        Arithmetic left = arithmetic.operations(first, ArithmeticParser.LOWEST);
        Expression relation = arithmetic.relation(left, start);
        if (relation != null) {
            return Parsed.term(relation, Qualifiers.NONE, start);
        }
        Form form = isNumber && left instanceof Arithmetic.Constant ? Form.NUMBER : Form.ARITHMETIC;
        return new Parsed(form, null, left, Qualifiers.NONE, start);
    }

    private Parsed keyword() {
        Token start = tokens.peek();
        KeywordProtocol protocol = KeywordProtocol.of(start.text());
        if (protocol != KeywordProtocol.ANY) {
            tokens.next();
        }
        Qualifiers qualifiers = qualifiers(protocol);
        if (qualifiers != null) {
            Parsed value = operand(qualifiers, true);
            return Parsed.term(value(value, qualifiers), qualifiers, start);
        }
        Expression primitive = primitives.primitive(protocol, start);
        if (primitive == null) {
            if (protocol == KeywordProtocol.ANY) {
                throw tokens.unexpected();
            }
            primitive = new Expression.Named(protocol, start.offset());
        }
        return Parsed.term(primitive, Qualifiers.NONE, start);
    }

    /** Parses the qualifiers at this position; null if another primitive starts here. */
    private @Nullable Qualifiers qualifiers(KeywordProtocol protocol) {
        Direction direction = direction();
        Kind kind = switch (tokens.peek().kind() == Token.Kind.KEYWORD
                ? tokens.peek().text()
                : "") {
            case "host" -> Kind.HOST;
            case "net" -> Kind.NET;
            case "port" -> Kind.PORT;
            case "portrange" -> Kind.PORTRANGE;
            case "gateway" -> direction == Direction.ANY ? Kind.GATEWAY : Kind.ANY;
            case "proto" -> direction == Direction.ANY ? Kind.PROTO : Kind.ANY;
            case "protochain" -> direction == Direction.ANY ? Kind.PROTOCHAIN : Kind.ANY;
            default -> Kind.ANY;
        };
        if (kind != Kind.ANY) {
            tokens.next();
        } else if (direction == Direction.ANY) {
            return null;
        }
        return new Qualifiers(protocol, direction, kind);
    }

    private Direction direction() {
        Token token = tokens.peek();
        Direction direction = switch (token.kind() == Token.Kind.KEYWORD ? token.text() : "") {
            case "src" -> Direction.SRC;
            case "dst" -> Direction.DST;
            case "addr1" -> Direction.ADDR1;
            case "addr2" -> Direction.ADDR2;
            case "addr3" -> Direction.ADDR3;
            case "addr4" -> Direction.ADDR4;
            case "ra" -> Direction.RA;
            case "ta" -> Direction.TA;
            default -> Direction.ANY;
        };
        if (direction == Direction.ANY) {
            return direction;
        }
        tokens.next();
        if ((direction == Direction.SRC || direction == Direction.DST) && isListed()) {
            boolean isBoth = tokens.next().is("and");
            tokens.expect(direction == Direction.SRC ? "dst" : "src");
            return isBoth ? Direction.SRC_AND_DST : Direction.SRC_OR_DST;
        }
        return direction;
    }

    /** Reads tokens one at a time. */
    static final class TokenReader {
        private final String expression;
        private final List<Token> tokens;
        private int at;

        TokenReader(String expression, List<Token> tokens) {
            this.expression = expression;
            this.tokens = tokens;
        }

        Token peek() {
            return tokens.get(at);
        }

        Token peekSecond() {
            return tokens.get(Math.min(at + 1, tokens.size() - 1));
        }

        Token next() {
            Token token = tokens.get(at);
            if (token.kind() != Token.Kind.END) {
                at++;
            }
            return token;
        }

        boolean take(String word) {
            boolean is = peek().is(word);
            if (is) {
                at++;
            }
            return is;
        }

        Token expect(String word) {
            if (!peek().is(word)) {
                throw unexpected();
            }
            return next();
        }

        Token expect(Token.Kind kind) {
            if (peek().kind() != kind) {
                throw unexpected();
            }
            return next();
        }

        FilterException tooDeep(int limit) {
            return new FilterException("expression nested more than " + limit + " deep", expression, peek().offset());
        }

        FilterException unexpected() {
            return syntaxError(expression, peek().offset());
        }
    }
}
