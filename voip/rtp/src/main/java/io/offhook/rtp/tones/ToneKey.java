package io.offhook.rtp.tones;

/**
 * A key that was pressed in the audio.
 *
 * @param key 0-9, A-D, * or #
 * @param atNs the arrival of the packet in which its tones began, nanoseconds since the epoch
 * @param durationMs how long they lasted, in milliseconds, measured in steps of 6 ms; 31 or more
 */
public record ToneKey(char key, long atNs, int durationMs) {}
