package io.offhook.forward.application;

/** What a stage does that the rest of a configuration depends on. */
public enum StageRole {
    /** Says where packets that come from its ports go. */
    DECIDES,
    /** Wants frames for other machines too: its ports should be promiscuous. */
    TAKES_ALL_FRAMES,
    /** Answers for the addresses of its ports: the kernel should have none there. */
    ANSWERS,
    /** Goes by the translations of the configuration. */
    TRANSLATES
}
