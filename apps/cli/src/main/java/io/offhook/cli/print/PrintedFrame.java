package io.offhook.cli.print;

/** The metadata of a captured packet. */
record PrintedFrame(long number, long timestampNs, int capturedLength, int wireLength, int linkType) {}
