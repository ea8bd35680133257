package io.offhook.cli;

/** What a capture says of a packet besides its bytes. */
record PrintedFrame(long number, long timestampNs, int capturedLength, int wireLength, int linkType) {}
