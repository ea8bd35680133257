package io.offhook.live;

/** What a capture can ask for that not every backend supports. */
public enum CaptureFeature {
    /** An {@link IdleStrategy} other than {@link IdleStrategy#PARK}: the ring can be polled without the kernel. */
    IDLE_STRATEGY,
    /** All frames that a wireless interface receives on its channel. */
    MONITOR_MODE,
    /** Timestamps by the network card. */
    HARDWARE_CLOCK
}
