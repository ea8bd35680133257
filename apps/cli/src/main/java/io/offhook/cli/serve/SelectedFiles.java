package io.offhook.cli.serve;

import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.InputStream;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Files that can be read again, as far as {@code --filter} selects their frames.
 *
 * @param paths files, or patterns of such
 * @param selection wraps each source to read only selected frames
 */
record SelectedFiles(List<String> paths, UnaryOperator<PacketSource> selection) {
    /** Opens them from their beginning; closed by the caller. */
    PacketSource open() {
        return selection.apply(CaptureFiles.open(paths, InputStream.nullInputStream()));
    }
}
