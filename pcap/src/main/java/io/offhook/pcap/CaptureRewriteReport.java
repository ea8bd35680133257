package io.offhook.pcap;

/**
 * What became of capture files that were written anew.
 *
 * @param format of what was written
 * @param packetsRead packets that were read
 * @param packetsWritten packets that were written
 * @param packetsLeftOut packets of interfaces that their file does not describe
 * @param packetsCut packets of which the end is missing, since they are longer than the format takes
 * @param timestampsClamped packets with a time that the format does not have, set to the end of its range
 * @param timestampsCut packets with a time finer than the format's, or than the file's first interfaces let expect
 * @param blocksWritten blocks of pcapng other than packets
 * @param blocksLeftOut blocks that the format has no place for, or whose makers do not want them in an edited file
 * @param optionsLeftOut options of pcapng whose byte order could not be turned
 * @param files files that were written
 * @param bytes that were written, before compression
 */
public record CaptureRewriteReport(
        CaptureFormat format,
        long packetsRead,
        long packetsWritten,
        long packetsLeftOut,
        long packetsCut,
        long timestampsClamped,
        long timestampsCut,
        long blocksWritten,
        long blocksLeftOut,
        long optionsLeftOut,
        long files,
        long bytes) {}
