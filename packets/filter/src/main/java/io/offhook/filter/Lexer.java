package io.offhook.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Splits an expression into {@link Token}s. Like libpcap's lexer, it takes the longest match at each position. */
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

    private record Form(Token.Kind kind, Pattern pattern) {}

    /**
     * The forms of tokens; of equally long matches the first wins. Six pairs of digits with dashes are both an address
     * and a name.
     */
    private static final List<Form> FORMS = List.of(
            new Form(Token.Kind.ARCNET, ARCNET),
            new Form(Token.Kind.MAC, MAC),
            new Form(Token.Kind.NUMBER, NUMBER),
            new Form(Token.Kind.IPV4, IPV4));

    private final String expression;
    private final int lastColon;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String expression) {
        this.expression = expression;
        lastColon = expression.lastIndexOf(':');
    }

    /** All tokens; the last is END. */
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

    /**
     * Takes the form with the longest match; of equally long ones the first, names last. A keyword precedes all forms.
     */
    private void take() {
        int name = end(NAME);
        String keyword = name < 0 ? null : Keywords.keyword(expression.substring(at, name));
        int longest = keyword == null ? at : name;
        Token.@Nullable Kind kind = null;
        for (Form form : FORMS) {
            int end = end(form.pattern);
            if (end > longest) {
                longest = end;
                kind = form.kind;
            }
        }
        int ipv6 = at > lastColon ? -1 : Ipv6Text.end(expression, at);
        if (ipv6 > longest) {
            longest = ipv6;
            kind = Token.Kind.IPV6;
        }
        if (end(NO_MAC) > longest) {
            String text = expression.substring(at, end(NO_MAC));
            throw new FilterException("bogus ethernet address " + text, expression, at);
        }
        if (kind != null && longest >= name) {
            takeForm(kind, longest);
        } else if (name > at) {
            takeName(keyword, name);
        } else {
            takeOther();
        }
    }

    private void takeForm(Token.Kind kind, int end) {
        int start = at;
        String text = expression.substring(at, end);
        at = end;
        if (kind == Token.Kind.IPV6 && Ipv6Text.parse(text) == null) {
            throw new FilterException("bogus IPv6 address " + text, expression, start);
        }
        int number = kind == Token.Kind.NUMBER ? NumberText.parse(text, expression, start) : 0;
        add(kind, text, number, start);
    }

    private void takeName(@Nullable String keyword, int end) {
        int start = at;
        String text = expression.substring(at, end);
        at = end;
        Integer number = Keywords.number(text);
        if (keyword != null) {
            add(Token.Kind.KEYWORD, keyword, 0, start);
        } else if (number != null) {
            add(Token.Kind.NUMBER, text, number, start);
        } else {
            add(Token.Kind.NAME, text, 0, start);
        }
    }

    /** An operator, an escaped word, or a character that is not in the language. */
    private void takeOther() {
        int start = at;
        int symbol = end(SYMBOL);
        int escaped = end(ESCAPED);
        if (escaped > at) {
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
