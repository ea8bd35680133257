package io.offhook.live;

/** What a capture can ask for, and not every backend has. */
public enum CaptureFeature {
    /** Another {@link IdleStrategy} than {@link IdleStrategy#PARK}: a ring that can be looked at without the kernel. */
    IDLE_STRATEGY,
    /** All frames that a wireless interface hears on its channel. */
    MONITOR_MODE,
    /** Frames stamped by the network card. */
    HARDWARE_CLOCK
}
