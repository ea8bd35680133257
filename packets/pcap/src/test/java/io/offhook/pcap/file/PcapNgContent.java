package io.offhook.pcap.file;

import io.offhook.pcap.CaptureFault;
import io.offhook.pcap.PcapNgBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * What a pcapng file holds, whatever its byte order: a line for each block, with all fields and options. Two files have the
 * same content when these lines are the same: the same blocks in the same order, with the same options, the same packets and
 * the same timestamps in their own units. What a custom block or one of an unknown type holds counts as it stands.
 */
public record PcapNgContent(List<String> blocks, List<String> faults) {
    public static PcapNgContent of(String path) {
        List<String> lines = new ArrayList<>();
        try (PcapNgBlocks blocks = PcapNgBlocks.open(path)) {
            while (blocks.next()) {
                lines.add(describe(blocks.block()));
            }
            return new PcapNgContent(
                    lines, blocks.faults().stream().map(CaptureFault::message).toList());
        }
    }

    static String describe(PcapNgBlockView block) {
        StringBuilder text = new StringBuilder();
        text.append(Integer.toHexString(block.type())).append(':');
        switch (block.type()) {
            case PcapNgBlock.SECTION_HEADER ->
                text.append(block.majorVersion())
                        .append('.')
                        .append(block.minorVersion())
                        .append(' ')
                        .append(block.sectionLength());
            case PcapNgBlock.INTERFACE_DESCRIPTION ->
                text.append(block.linkType()).append(' ').append(block.snapLength());
            case PcapNgBlock.ENHANCED_PACKET, PcapNgBlock.OBSOLETE_PACKET, PcapNgBlock.SIMPLE_PACKET ->
                text.append(block.interfaceId())
                        .append(' ')
                        .append(block.timestampUnits())
                        .append(' ')
                        .append(block.wireLength())
                        .append(' ')
                        .append(block.drops())
                        .append(' ')
                        .append(hex(block.segment(), block.packetOffset(), block.capturedLength()));
            case PcapNgBlock.INTERFACE_STATISTICS ->
                text.append(block.interfaceId()).append(' ').append(block.timestampUnits());
            case PcapNgBlock.NAME_RESOLUTION -> {
                PcapNgOptionsView records = new PcapNgOptionsView();
                block.nameRecords(records);
                while (records.next()) {
                    text.append(records.code()).append('=');
                    text.append(hex(records.segment(), records.offset(), records.length()));
                    text.append(' ');
                }
            }
            case PcapNgBlock.DECRYPTION_SECRETS ->
                text.append(block.secretsType())
                        .append(' ')
                        .append(hex(block.segment(), block.dataOffset(), block.dataLength()));
            case PcapNgBlock.CUSTOM, PcapNgBlock.CUSTOM_NOT_COPIED ->
                text.append(block.enterpriseNumber())
                        .append(' ')
                        .append(hex(block.segment(), block.dataOffset(), block.dataLength()));
            default -> text.append(hex(block.segment(), block.dataOffset(), block.dataLength()));
        }
        return text.append(options(block)).toString();
    }

    private static String options(PcapNgBlockView block) {
        StringBuilder text = new StringBuilder();
        PcapNgOptionsView options = new PcapNgOptionsView();
        block.options(options);
        while (options.next()) {
            int code = options.code();
            boolean isStatistics = block.type() == PcapNgBlock.INTERFACE_STATISTICS;
            boolean isInterface = block.type() == PcapNgBlock.INTERFACE_DESCRIPTION;
            text.append(" | ").append(code).append('=');
            if (isStatistics && (code == 2 || code == 3)) {
                text.append(options.timestampUnits());
            } else if (isStatistics && code >= 4 && code <= 8
                    || isInterface && (code == 8 || code == 14)
                    || block.isPacket() && (code == 4 || code == 5)) {
                text.append(options.bits64());
            } else if (isInterface && code == 10 || block.isPacket() && (code == 2 || code == 6)) {
                text.append(options.u32());
            } else {
                text.append(hex(options.segment(), options.offset(), options.length()));
            }
        }
        return text.toString();
    }

    private static String hex(MemorySegment segment, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return HexFormat.of().formatHex(bytes);
    }
}
