package io.offhook.web.api;

/** What ASR and NER are made of: conditions on the table of calls. */
public final class CallRates {
    /** A call that was tried, and whose trial is over: ringing ones may still be answered. */
    public static final String ATTEMPT = "(invited_at IS NOT NULL AND outcome NOT IN ('ringing', 'redirected'))";

    /** An answered call. */
    public static final String ANSWERED = "(outcome IN ('answered', 'ongoing'))";

    /** A call that reached the callee's terminal. */
    public static final String EFFECTIVE =
            "(" + ANSWERED + " OR outcome IN ('busy', 'declined') OR final_status = 480 OR ringing_at IS NOT NULL)";

    private CallRates() {}
}
