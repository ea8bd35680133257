package io.offhook.pcap;

import org.jspecify.annotations.Nullable;

/**
 * One file of a source, as far as it was read.
 *
 * @param path as given; "-" for standard input
 * @param format its format, or null if it was not recognised
 * @param compression its compression
 * @param sizeBytes its size on disk, when it was opened; -1 if it has none (a pipe)
 * @param packets packets read so far; those of a merge may not all have been delivered yet
 * @param packetsLeftOut packets of interfaces that their file does not describe, or describes beyond the limit
 * @param timestampsClamped packets whose time was outside the years 1970 to 2116 and was set to the end of that range
 */
public record CaptureFile(
        String path,
        @Nullable CaptureFormat format,
        CaptureCompression compression,
        long sizeBytes,
        long packets,
        long packetsLeftOut,
        long timestampsClamped) {}
