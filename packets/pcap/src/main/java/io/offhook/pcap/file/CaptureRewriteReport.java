package io.offhook.pcap.file;

import io.offhook.pcap.CaptureFormat;

/**
 * What became of capture files that were written anew.
 *
 * @param format of what was written
 * @param packets how many were read and written
 * @param timestamps how many could not be kept as they were
 * @param blocks those of pcapng other than packets
 * @param files files that were written
 * @param bytes that were written, before compression
 */
public record CaptureRewriteReport(
        CaptureFormat format, Packets packets, Timestamps timestamps, Blocks blocks, long files, long bytes) {
    /**
     * Packets.
     *
     * @param read that were read
     * @param written that were written
     * @param leftOut of interfaces that their file does not describe
     * @param cut of which the end is missing, since they are longer than the format takes
     */
    public record Packets(long read, long written, long leftOut, long cut) {}

    /**
     * Packets whose times were changed.
     *
     * @param clamped with a time that the format does not have, set to the end of its range
     * @param cut with a time finer than the format's, or than the file's first interfaces let expect
     */
    public record Timestamps(long clamped, long cut) {}

    /**
     * Blocks of pcapng other than packets.
     *
     * @param written that were written
     * @param leftOut that the format has no place for, or whose makers do not want them in an edited file
     * @param optionsLeftOut options whose byte order could not be turned
     */
    public record Blocks(long written, long leftOut, long optionsLeftOut) {}
}
