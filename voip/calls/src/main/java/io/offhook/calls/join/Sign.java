package io.offhook.calls.join;

/** What speaks for two dialogs being legs of one call, and how much. docs/OUTPUT.md lists them. */
enum Sign {
    NAMED(100),
    SESSION_ID(100),
    SUFFIX(100),
    GROUP(80),
    ORIGIN(60),
    MEDIA(60),
    HOP(20),
    AT_ONCE(20),
    SOON(10),
    IN_TIME(5),
    CALLED(20),
    CALLING(15),
    DIVERTED(15),
    ANSWERED(15),
    ENDED(15);

    /** One of these is needed for a join; others are shared by strangers on a busy trunk. */
    static final int PROOFS = mask(NAMED, SESSION_ID, SUFFIX, GROUP, ORIGIN, MEDIA);

    /** Those that two dialogs with different Session-IDs may share by chance. */
    static final int COINCIDENCES = mask(HOP, AT_ONCE, SOON, IN_TIME, CALLED, CALLING, DIVERTED, ANSWERED, ENDED);

    /** Those that do not depend on which dialog came first. */
    static final int TIMELESS = mask(NAMED, SESSION_ID);

    private static final Sign[] ALL = values();

    private final int weight;

    Sign(int weight) {
        this.weight = weight;
    }

    int bit() {
        return 1 << ordinal();
    }

    int weight() {
        return weight;
    }

    boolean isIn(int signs) {
        return (signs & bit()) != 0;
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
        for (int rest = signs; rest != 0; rest &= rest - 1) {
            score += ALL[Integer.numberOfTrailingZeros(rest)].weight;
        }
        return score;
    }
}
