package io.offhook.filter;

/**
 * The qualifiers before a value: {@code tcp dst port}. A value after {@code and} or {@code or} without qualifiers of
 * its own inherits those of the preceding value.
 */
record Qualifiers(KeywordProtocol protocol, Direction direction, Kind kind) {
    /** No qualifiers to inherit: a value needs its own. */
    static final Qualifiers NONE = new Qualifiers(KeywordProtocol.ANY, Direction.ANY, Kind.NONE);

    enum Direction {
        ANY(""),
        SRC(""),
        DST(""),
        SRC_OR_DST(""),
        SRC_AND_DST(""),
        ADDR1("'addr1' and 'address1'"),
        ADDR2("'addr2' and 'address2'"),
        ADDR3("'addr3' and 'address3'"),
        ADDR4("'addr4' and 'address4'"),
        RA("'ra'"),
        TA("'ta'");

        /** libpcap's name for the qualifier in messages about misplaced ones; empty if it is allowed everywhere. */
        private final String spellings;

        Direction(String spellings) {
            this.spellings = spellings;
        }

        String notOnThisLink(String where) {
            return spellings + (isOneWord() ? " is" : " are") + " only supported on 802.11" + where;
        }

        String notFor(String what) {
            return spellings
                    + (isOneWord() ? " is not a valid qualifier for " : " are not valid qualifiers for ")
                    + what;
        }

        private boolean isOneWord() {
            return this == RA || this == TA;
        }
    }

    enum Kind {
        ANY,
        HOST,
        NET,
        PORT,
        PORTRANGE,
        GATEWAY,
        PROTO,
        PROTOCHAIN,
        NONE
    }
}
