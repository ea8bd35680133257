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
    PORT_UNREACHABLE("port unreachable");

    private final String label;

    Problem(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
