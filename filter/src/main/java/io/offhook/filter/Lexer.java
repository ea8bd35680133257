package io.offhook.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Cuts an expression into {@link Token}s: at each place the longest that fits, as libpcap's lexer does. */
final class Lexer {
    private static final String NUMBER_FORM = "(?:0[xX][0-9A-Fa-f]+|[0-9]+)";
    private static final String BYTE_FORM = "[0-9A-Fa-f]{1,2}";

    private static final Pattern NUMBER = Pattern.compile(NUMBER_FORM);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-_.A-Za-z0-9]*[.A-Za-z0-9])?");
    private static final Pattern ESCAPED = Pattern.compile("\\\\[^ !()\\n\\t]+");
    private static final Pattern ARCNET = Pattern.compile("\\$" + BYTE_FORM);
    private static final Pattern IPV4 = Pattern.compile(NUMBER_FORM + "(?:\\." + NUMBER_FORM + "){1,3}");
    private static final Pattern MAC = Pattern.compile(BYTE_FORM + "(?::" + BYTE_FORM + "){5}"
            + "|" + BYTE_FORM + "(?:-" + BYTE_FORM + "){5}"
            + "|" + BYTE_FORM + "(?:\\." + BYTE_FORM + "){5}"
            + "|[0-9A-Fa-f]{4}\\.[0-9A-Fa-f]{4}\\.[0-9A-Fa-f]{4}"
            + "|[0-9A-Fa-f]{12}");
    private static final Pattern NO_MAC = Pattern.compile(BYTE_FORM + ":+(?:" + BYTE_FORM + ":+)+");
    private static final Pattern SYMBOL = Pattern.compile(">=|<=|!=|==|<<|>>|&&|\\|\\||[+\\-*/%:\\[\\]!<>()&|^=]");

    private final String expression;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String expression) {
        this.expression = expression;
    }

    /** All tokens, the last of them END. */
    static List<Token> tokens(String expression) {
        Lexer lexer = new Lexer(expression);
        while (lexer.skipSpace()) {
            lexer.take();
        }
        lexer.add(Token.Kind.END, "", 0, expression.length());
        return lexer.tokens;
    }

    private boolean skipSpace() {
        while (at < expression.length() && " \r\n\t".indexOf(expression.charAt(at)) >= 0) {
            at++;
        }
        return at < expression.length();
    }

    /** Of the forms that fit the most characters the first: words stand last, but a keyword is one before all. */
    private void take() {
        int name = end(NAME);
        int longest = name;
        Token.@Nullable Kind kind = name > at ? Token.Kind.NAME : null;
        String keyword = name > at ? Keywords.keyword(expression.substring(at, name)) : null;
        int ipv6 = expression.indexOf(':', at) < 0 ? -1 : Ipv6Text.end(expression, at);
        int[] ends = {end(NO_MAC), ipv6, end(IPV4), end(NUMBER), end(MAC), end(ARCNET)};
        for (int i = 0; i < ends.length; i++) {
            if (ends[i] > at && ends[i] >= longest && (keyword == null || ends[i] > name)) {
                longest = ends[i];
                kind = KINDS[i];
                if (i == 0) {
                    kind = null;
                }
            }
        }
        if (kind == null) {
            takeOther(longest);
        } else {
            takeWord(kind, keyword, longest);
        }
    }

    private static final Token.Kind[] KINDS = {
        Token.Kind.END, Token.Kind.IPV6, Token.Kind.IPV4, Token.Kind.NUMBER, Token.Kind.MAC, Token.Kind.ARCNET
    };

    private void takeWord(Token.Kind kind, @Nullable String keyword, int end) {
        String text = expression.substring(at, end);
        int start = at;
        at = end;
        if (kind == Token.Kind.NUMBER) {
            add(kind, text, NumberText.parse(text, expression, start), start);
        } else if (kind != Token.Kind.NAME) {
            if (kind == Token.Kind.IPV6 && Ipv6Text.parse(text) == null) {
                throw new FilterException("bogus IPv6 address " + text, expression, start);
            }
            add(kind, text, 0, start);
        } else if (keyword != null) {
            add(Token.Kind.KEYWORD, keyword, 0, start);
        } else {
            Integer number = Keywords.number(text);
            add(number == null ? kind : Token.Kind.NUMBER, text, number == null ? 0 : number, start);
        }
    }

    /** An operator, an escaped word, half of an Ethernet address, or nothing of the language. */
    private void takeOther(int longest) {
        int start = at;
        int symbol = end(SYMBOL);
        int escaped = end(ESCAPED);
        if (longest > at) {
            String text = expression.substring(at, longest);
            throw new FilterException("bogus ethernet address " + text, expression, start);
        } else if (escaped > at) {
            at = escaped;
            add(Token.Kind.NAME, expression.substring(start + 1, escaped), 0, start);
        } else if (symbol > at) {
            at = symbol;
            String text = expression.substring(start, symbol);
            switch (text) {
                case "&&" -> add(Token.Kind.KEYWORD, "and", 0, start);
                case "||" -> add(Token.Kind.KEYWORD, "or", 0, start);
                case "==" -> add(Token.Kind.SYMBOL, "=", 0, start);
                default -> add(Token.Kind.SYMBOL, text, 0, start);
            }
        } else {
            throw Parser.syntaxError(expression, at);
        }
    }

    private int end(Pattern pattern) {
        Matcher matcher = pattern.matcher(expression).region(at, expression.length());
        return matcher.lookingAt() ? matcher.end() : -1;
    }

    private void add(Token.Kind kind, String text, int number, int start) {
        tokens.add(new Token(kind, text, number, start));
    }
}
