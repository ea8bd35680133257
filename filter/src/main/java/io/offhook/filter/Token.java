package io.offhook.filter;

/**
 * A word of an expression.
 *
 * @param text as written; of a keyword its first spelling ({@code link} for {@code ether})
 * @param number of a NUMBER, 32 bits
 * @param offset where it begins, in characters
 */
record Token(Kind kind, String text, int number, int offset) {
    enum Kind {
        KEYWORD,
        /** An operator, a bracket, a colon. */
        SYMBOL,
        NUMBER,
        NAME,
        /** Two to four numbers with dots between. */
        IPV4,
        IPV6,
        MAC,
        /** A dollar and a hexadecimal number of one or two digits. */
        ARCNET,
        END
    }

    boolean is(String word) {
        return (kind == Kind.KEYWORD || kind == Kind.SYMBOL) && text.equals(word);
    }
}
