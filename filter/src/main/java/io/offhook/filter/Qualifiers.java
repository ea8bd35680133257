package io.offhook.filter;

/**
 * What stands before a value: {@code tcp dst port}. Values that follow with {@code and} or {@code or} and without
 * qualifiers of their own take those of the one before.
 */
record Qualifiers(Protocol protocol, Direction direction, Kind kind) {
    /** Nothing to take over: a value here needs qualifiers of its own. */
    static final Qualifiers NONE = new Qualifiers(Protocol.ANY, Direction.ANY, Kind.NONE);

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

        /** How libpcap names it where it may not stand; empty where it may stand everywhere. */
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
