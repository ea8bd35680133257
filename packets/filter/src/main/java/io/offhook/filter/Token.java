package io.offhook.filter;

/**
 * A token of an expression.
 *
 * @param text the text as written; for a keyword its first spelling ({@code link} for {@code ether})
 * @param number the value of a NUMBER, 32 bits
 * @param offset the position of its first character in the expression
 */
record Token(Kind kind, String text, int number, int offset) {
    enum Kind {
        KEYWORD,
        /** An operator, a bracket or a colon. */
        SYMBOL,
        NUMBER,
        NAME,
        /** Two to four numbers separated by dots. */
        IPV4,
        IPV6,
        MAC,
        /** A dollar sign and a hexadecimal number of one or two digits. */
        ARCNET,
        END
    }

    boolean is(String word) {
        return (kind == Kind.KEYWORD || kind == Kind.SYMBOL) && text.equals(word);
    }
}
