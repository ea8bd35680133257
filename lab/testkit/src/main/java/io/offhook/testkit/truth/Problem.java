package io.offhook.testkit.truth;

/** A problem of a call that an analysis of the capture must report. */
public enum Problem {
    ONE_WAY_AUDIO("one-way audio"),
    NO_AUDIO("no audio"),
    /** The INVITE got no response at all. */
    NO_ANSWER("no answer"),
    BUSY("busy"),
    DECLINED("declined"),
    CANCELLED("cancelled"),
    UNAVAILABLE("unavailable"),
    FAILED("failed"),
    /** Five seconds or more from the INVITE to the first 18x, or to the final response where there was none. */
    SLOW_SET_UP("slow set-up"),
    /** A 2xx that no ACK followed. */
    NO_ACK("no ACK"),
    /** 5 % or more of the packets that the caller sent were lost before the tap. */
    LOSS_FROM_CALLER("loss from caller"),
    LOSS_FROM_CALLEE("loss from callee"),
    /** 1 % or more of the packets, and ten or more, that a relay received from the caller it did not pass on. */
    RELAY_LOSS_FROM_CALLER("relay loss from caller"),
    PORT_UNREACHABLE("port unreachable"),
    /** Held back so long that no jitter buffer waits for it. */
    LATE_FROM_CALLER("late from caller"),
    LATE_FROM_CALLEE("late from callee"),
    /** Audio of one side that ended five seconds or more before the call. */
    AUDIO_STOPPED("audio stopped"),
    /** Two seconds or more without audio of a side, for which nothing speaks that it was silent by will. */
    AUDIO_GAP("audio gap"),
    AUDIO_STARTED_LATE("audio started late");

    private final String label;

    Problem(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
