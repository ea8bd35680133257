package io.offhook.testkit.traffic;

import io.offhook.packet.Endpoint;
import io.offhook.testkit.truth.Party;
import io.offhook.testkit.truth.StreamTruth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All streams of a capture by what names them, in the order in which they began to be written. */
final class StreamLedgers {
    private final Map<StreamLedger.Key, StreamLedger> ledgers = new LinkedHashMap<>();

    StreamLedger of(
            Endpoint source,
            Endpoint destination,
            long ssrc,
            @Nullable String callId,
            @Nullable Party from,
            boolean video,
            boolean encrypted) {
        return ledgers.computeIfAbsent(
                new StreamLedger.Key(source, destination, ssrc),
                key -> new StreamLedger(key, callId, from, video, encrypted));
    }

    List<StreamTruth> truth() {
        return ledgers.values().stream()
                .filter(ledger -> !ledger.isEmpty())
                .map(StreamLedger::truth)
                .toList();
    }
}
