package io.offhook.forward.application;

/** What a stage does that other parts of a configuration depend on. */
public enum StageRole {
    /** Chooses the outputs of packets received from its ports. */
    DECIDES,
    /** Needs frames to other machines as well, so its ports should be promiscuous. */
    TAKES_ALL_FRAMES,
    /** Answers for the addresses of its ports, so the kernel should have none there. */
    ANSWERS,
    /** Uses the translations of the configuration. */
    TRANSLATES
}
