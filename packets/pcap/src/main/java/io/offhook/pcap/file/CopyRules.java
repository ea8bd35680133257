package io.offhook.pcap.file;

import io.offhook.pcap.PcapNgBlock;
import org.jspecify.annotations.Nullable;

/**
 * Decides which blocks and options of a pcapng file are copied into another, by the copy bit of custom ones and by the
 * edit.
 *
 * @param isEdited whether the new file will differ from the old one; if so, whatever must not be copied is left out
 * @param edit the edit that is applied, or null
 */
record CopyRules(boolean isEdited, @Nullable PacketEdit edit) {
    /** Returns whether to copy a block that is neither a packet nor a section header nor an interface description. */
    boolean keepsBlock(PcapNgBlockView block) {
        return !(isEdited && block.type() == PcapNgBlock.CUSTOM_NOT_COPIED) && (edit == null || edit.keepsBlock(block));
    }

    boolean keepsOption(int blockType, int code) {
        boolean isUncopied =
                code == PcapNgOptionCopy.CUSTOM_TEXT_NOT_COPIED || code == PcapNgOptionCopy.CUSTOM_BYTES_NOT_COPIED;
        return !(isEdited && isUncopied) && (edit == null || edit.keepsOption(blockType, code));
    }
}
