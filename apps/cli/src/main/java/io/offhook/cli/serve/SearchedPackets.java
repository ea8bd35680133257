package io.offhook.cli.serve;

import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.CaptureReport;
import io.offhook.cli.input.KeyOptions;
import io.offhook.decrypt.DecryptionKeys;
import io.offhook.pcap.PacketSource;
import io.offhook.web.data.CallData;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Packets that can be searched for a call once more, with keys that a user has. */
interface SearchedPackets {
    /** By which they were analysed. */
    AnalysisOptions options();

    /** The keys that they were analysed with; or null. */
    @Nullable
    KeyOptions keys();

    /**
     * Writes the packets of a call as pcapng: also of those legs, and connections, that only the keys show.
     *
     * @param keys opens TLS
     * @param through wraps each source that is read
     * @return what was searched, with what became of its TLS
     * @throws java.io.FileNotFoundException if the packets are not there
     * @throws IOException if they cannot be read or written
     */
    CaptureReport write(
            CallData.CallKey call, DecryptionKeys keys, UnaryOperator<PacketSource> through, OutputStream out)
            throws IOException;
}
