package io.offhook.pcap;

import org.jspecify.annotations.Nullable;

/**
 * One file of a source, as far as it was read.
 *
 * @param path as given; "-" for standard input
 * @param format what it is, or null where that could not be told
 * @param compression what it is wrapped in
 * @param sizeBytes its size on disk, when it was opened; -1 where it has none (a pipe)
 * @param packets packets read so far; those of a merge may not all have been handed out yet
 * @param packetsLeftOut packets of interfaces that their file does not describe, or describes beyond the limit
 * @param timestampsClamped packets whose time lies outside of the years 1970 to 2116 and was set to the end of that range
 */
public record CaptureFile(
        String path,
        @Nullable CaptureFormat format,
        CaptureCompression compression,
        long sizeBytes,
        long packets,
        long packetsLeftOut,
        long timestampsClamped) {}
