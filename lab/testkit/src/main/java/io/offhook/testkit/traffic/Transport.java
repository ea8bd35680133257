package io.offhook.testkit.traffic;

/** What carries SIP. */
public enum Transport {
    UDP,
    TCP,
    /** WebSocket on plain TCP (RFC 7118). */
    WS
}
