package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import org.jspecify.annotations.Nullable;

/**
 * Which blocks and options of a pcapng file are copied into another: as the makers of custom ones want it, and as who edits
 * the file does.
 *
 * @param isEdited whether the file will be another than it was: then what must not be copied is left out
 * @param edit who edits it, or null
 */
record CopyRules(boolean isEdited, @Nullable PacketEdit edit) {
    /** Asked of blocks that are neither a packet nor a section header nor an interface description. */
    boolean keepsBlock(PcapNgBlockView block) {
        return !(isEdited && block.type() == PcapNgBlock.CUSTOM_NOT_COPIED) && (edit == null || edit.keepsBlock(block));
    }

    boolean keepsOption(int blockType, int code) {
        boolean isUncopied =
                code == PcapNgOptionCopy.CUSTOM_TEXT_NOT_COPIED || code == PcapNgOptionCopy.CUSTOM_BYTES_NOT_COPIED;
        return !(isEdited && isUncopied) && (edit == null || edit.keepsOption(blockType, code));
    }
}
