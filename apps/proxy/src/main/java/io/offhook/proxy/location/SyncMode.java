package io.offhook.proxy.location;

/** When what was written is forced to the disk itself. In each mode it survives the end of the process. */
public enum SyncMode {
    /** Before it is acknowledged, so that it survives a power failure too. */
    ALWAYS,
    /** Every second, so that a power failure costs what was registered in the last one. */
    INTERVAL,
    /** When the system does so. */
    NEVER
}
