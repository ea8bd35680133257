package io.offhook.cli.serve;

import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.cli.calls.OpenedAudio;
import io.offhook.cli.input.KeyOptions;
import io.offhook.pcap.PacketSource;
import io.offhook.rtp.PayloadOpener;
import io.offhook.web.data.CallData;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The encrypted streams of a call, opened with the keys that its SDP shows and those that were given. */
final class StreamAudio implements CallData.StreamKeys {
    private final OpenedAudio opened;

    private StreamAudio(OpenedAudio opened) {
        this.opened = opened;
    }

    /** A call with its packets; they are read for keys if one of its streams is encrypted. */
    static CallData.Recording recording(CallReport call, Supplier<PacketSource> packets, @Nullable KeyOptions given) {
        if (call.streams().stream().noneMatch(StreamReport::isEncrypted)) {
            return new CallData.Recording(call, packets, CallData.StreamKeys.NONE);
        }
        try (PacketSource source = packets.get()) {
            return new CallData.Recording(call, packets, new StreamAudio(OpenedAudio.of(source, given)));
        }
    }

    @Override
    public @Nullable PayloadOpener opener(StreamReport stream) {
        return opened.opener(stream);
    }

    @Override
    public void close() {
        opened.close();
    }
}
