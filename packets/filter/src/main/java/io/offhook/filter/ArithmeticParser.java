package io.offhook.filter;

import org.jspecify.annotations.Nullable;

/**
 * Parses arithmetic by precedence climbing: {@code |} binds loosest, then {@code &}, shifts, sums and products, all
 * left-associative. {@code %} and {@code ^} have no precedence in libpcap's grammar and take everything that follows as
 * their right operand: {@code 2 * 6 % 4 + 1} is {@code 2 * (6 % (4 + 1))}.
 */
final class ArithmeticParser {
    static final int LOWEST = 1;
    private static final int UNARY = 6;
    private static final int MAX_DEPTH = 500;
    private static final int UNRANKED = Integer.MAX_VALUE;

    private final Parser.TokenReader tokens;
    private int depth;

    ArithmeticParser(Parser.TokenReader tokens) {
        this.tokens = tokens;
    }

    /** Whether a number starts here. A bracket may also start a number, which this cannot see. */
    boolean isStart() {
        Token token = tokens.peek();
        boolean isLoad = KeywordProtocol.of(token.text()) != KeywordProtocol.ANY
                && tokens.peekSecond().is("[");
        return token.kind() == Token.Kind.NUMBER
                || token.is("-")
                || token.is("len")
                || token.kind() == Token.Kind.KEYWORD && isLoad;
    }

    private Arithmetic arithmetic(int rank) {
        if (++depth > MAX_DEPTH) {
            throw tokens.tooDeep(MAX_DEPTH);
        }
        try {
            return operations(primary(), rank);
        } finally {
            depth--;
        }
    }

    Arithmetic primary() {
        Token token = tokens.peek();
        if (token.kind() == Token.Kind.NUMBER) {
            return new Arithmetic.Constant(tokens.next().number(), token.offset());
        }
        if (tokens.take("len")) {
            return new Arithmetic.Length(token.offset());
        }
        if (tokens.take("-")) {
            return new Arithmetic.Negation(arithmetic(UNARY), token.offset());
        }
        if (tokens.take("(")) {
            Arithmetic inner = arithmetic(LOWEST);
            tokens.expect(")");
            return inner;
        }
        if (!isStart()) {
            throw tokens.unexpected();
        }
        return load();
    }

    private Arithmetic load() {
        Token protocol = tokens.next();
        tokens.expect("[");
        Arithmetic index = arithmetic(LOWEST);
        int size = tokens.take(":") ? tokens.expect(Token.Kind.NUMBER).number() : 1;
        tokens.expect("]");
        return new Arithmetic.Load(KeywordProtocol.of(protocol.text()), index, size, protocol.offset());
    }

    /** Parses the operators after {@code left} that bind at least as tightly as {@code rank}. */
    Arithmetic operations(Arithmetic left, int rank) {
        Arithmetic result = left;
        while (true) {
            Token operator = tokens.peek();
            int own = rank(operator);
            if (own < rank) {
                return result;
            }
            tokens.next();
            Arithmetic right = arithmetic(own == UNRANKED ? LOWEST : own + 1);
            result = new Arithmetic.Operation(operation(operator), result, right, operator.offset());
        }
    }

    private static int rank(Token operator) {
        if (operator.kind() != Token.Kind.SYMBOL) {
            return 0;
        }
        return switch (operator.text()) {
            case "|" -> 1;
            case "&" -> 2;
            case "<<", ">>" -> 3;
            case "+", "-" -> 4;
            case "*", "/" -> 5;
            case "%", "^" -> UNRANKED;
            default -> 0;
        };
    }

    private static int operation(Token operator) {
        return switch (operator.text()) {
            case "|" -> BpfOpcode.OR;
            case "&" -> BpfOpcode.AND;
            case "<<" -> BpfOpcode.LSH;
            case ">>" -> BpfOpcode.RSH;
            case "+" -> BpfOpcode.ADD;
            case "-" -> BpfOpcode.SUB;
            case "*" -> BpfOpcode.MUL;
            case "/" -> BpfOpcode.DIV;
            case "%" -> BpfOpcode.MOD;
            default -> BpfOpcode.XOR;
        };
    }

    /** Parses the comparison after {@code left}; null if none follows. */
    @Nullable
    Expression relation(Arithmetic left, Token start) {
        int operation = relationOf(tokens.peek());
        if (operation < 0) {
            return null;
        }
        boolean isInverse = isInverse(tokens.next());
        return new Expression.Relation(operation, isInverse, left, arithmetic(LOWEST), start.offset());
    }

    /** Returns JEQ, JGT or JGE, which {@link #isInverse} may negate; -1 if the token is not a comparison. */
    static int relationOf(Token token) {
        return switch (token.kind() == Token.Kind.SYMBOL ? token.text() : "") {
            case "=", "!=" -> BpfOpcode.JEQ;
            case ">", "<=" -> BpfOpcode.JGT;
            case ">=", "<" -> BpfOpcode.JGE;
            default -> -1;
        };
    }

    static boolean isInverse(Token token) {
        return token.is("!=") || token.is("<=") || token.is("<");
    }
}
