package io.offhook.cli.print;

/** What a capture says of a packet besides its bytes. */
record PrintedFrame(long number, long timestampNs, int capturedLength, int wireLength, int linkType) {}
