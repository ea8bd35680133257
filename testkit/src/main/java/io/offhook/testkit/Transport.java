package io.offhook.testkit;

/** What carries SIP. */
public enum Transport {
    UDP,
    TCP,
    /** WebSocket on plain TCP (RFC 7118). */
    WS
}
