package io.offhook.testkit.generate;

import io.offhook.testkit.traffic.CallPlan;
import io.offhook.testkit.truth.Party;
import java.util.Locale;
import java.util.Random;

/** The outcome of a call: a word of {@code --outcomes}. */
enum DrawnOutcome {
    /** 200, media both ways, BYE of either end. */
    ANSWERED,
    /** 486. */
    BUSY,
    /** CANCEL after some seconds of ringing, 487. */
    CANCELLED,
    /** 603. */
    DECLINED,
    /** 480 after five seconds of ringing. */
    NOANSWER,
    /** 407, a second INVITE with credentials, then as {@link #ANSWERED}. */
    AUTH;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Adds the steps of such a call, with its talk time if it is answered. */
    void steps(CallPlan call, Random random, long talkMs) {
        call.invite();
        if (this == AUTH) {
            call.challenged(407);
        }
        call.trying();
        switch (this) {
            case BUSY -> call.rejected(486, "Busy Here");
            case DECLINED -> call.rejected(603, "Decline");
            case CANCELLED ->
                call.ringing().after(1000L * (1 + random.nextInt(4))).cancelled();
            case NOANSWER -> call.ringing().after(5000).rejected(480, "Temporarily Unavailable");
            case ANSWERED, AUTH -> {
                Party first = random.nextBoolean() ? Party.CALLER : Party.CALLEE;
                call.ringing()
                        .after(300 + random.nextInt(2700))
                        .accepted()
                        .talk(talkMs)
                        .after(50) // packets that were reordered come before the BYE
                        .hangUp(first);
            }
        }
    }
}
