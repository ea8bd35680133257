package io.offhook.calls.join;

/** What speaks for two dialogs being legs of one call, and how much. docs/OUTPUT.md lists them. */
enum Sign {
    NAMED(1, 100),
    SESSION_ID(1 << 1, 100),
    SUFFIX(1 << 2, 100),
    PACKETS(1 << 15, 100),
    REWRITTEN(1 << 16, 80),
    GROUP(1 << 3, 80),
    ORIGIN(1 << 4, 60),
    MEDIA(1 << 5, 60),
    HOP(1 << 6, 20),
    AT_ONCE(1 << 7, 20),
    SOON(1 << 8, 10),
    IN_TIME(1 << 9, 5),
    CALLED(1 << 10, 20),
    CALLING(1 << 11, 15),
    DIVERTED(1 << 12, 15),
    ANSWERED(1 << 13, 15),
    ENDED(1 << 14, 15);

    /** One of these is needed for a join; others are shared by strangers on a busy trunk. */
    static final int PROOFS = mask(NAMED, SESSION_ID, SUFFIX, PACKETS, REWRITTEN, GROUP, ORIGIN, MEDIA);

    /** Those that two dialogs with different Session-IDs may share by chance. */
    static final int COINCIDENCES = mask(HOP, AT_ONCE, SOON, IN_TIME, CALLED, CALLING, DIVERTED, ANSWERED, ENDED);

    /** Those that do not depend on which dialog came first. */
    static final int TIMELESS = mask(NAMED, SESSION_ID);

    private static final Sign[] ALL = values();

    private final int bit;
    private final int weight;

    /** @param bit its place in a set of signs */
    Sign(int bit, int weight) {
        this.bit = bit;
        this.weight = weight;
    }

    int bit() {
        return bit;
    }

    int weight() {
        return weight;
    }

    boolean isIn(int signs) {
        return (signs & bit) != 0;
    }

    static int mask(Sign... signs) {
        int mask = 0;
        for (Sign sign : signs) {
            mask |= sign.bit();
        }
        return mask;
    }

    static int score(int signs) {
        int score = 0;
        for (Sign sign : ALL) {
            score += sign.isIn(signs) ? sign.weight : 0;
        }
        return score;
    }
}
