package io.offhook.pcap.file;

import io.offhook.pcap.CaptureFormat;

/**
 * The result of rewriting capture files.
 *
 * @param format the format written
 * @param packets the packets read and written
 * @param timestamps the timestamps that had to change
 * @param blocks the pcapng blocks other than packets
 * @param files the number of files written
 * @param bytes the bytes written, before compression
 */
public record CaptureRewriteReport(
        CaptureFormat format, Packets packets, Timestamps timestamps, Blocks blocks, long files, long bytes) {
    /**
     * Numbers of packets.
     *
     * @param read packets read
     * @param written packets written
     * @param leftOut packets of interfaces that their file does not describe
     * @param cut packets that were truncated because they exceed the limit of the format
     */
    public record Packets(long read, long written, long leftOut, long cut) {}

    /**
     * Numbers of packets whose time was changed.
     *
     * @param clamped packets with a time that the format cannot express, set to the end of its range
     * @param cut packets with a time finer than the unit of the format, or than the unit chosen from the first
     *     interfaces
     */
    public record Timestamps(long clamped, long cut) {}

    /**
     * Numbers of pcapng blocks other than packets, and of options.
     *
     * @param written blocks written
     * @param leftOut blocks that the format cannot hold, or that must not be copied into an edited file
     * @param optionsLeftOut options whose byte order could not be converted
     */
    public record Blocks(long written, long leftOut, long optionsLeftOut) {}
}
