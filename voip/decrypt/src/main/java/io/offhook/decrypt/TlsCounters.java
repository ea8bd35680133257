package io.offhook.decrypt;

import io.offhook.packet.PlacedCount;
import java.util.function.BiConsumer;

/** What could not be opened of the TLS streams of a shard. Single-threaded. */
final class TlsCounters {
    /** Directions of connections for which the log has no secret, or not in time. */
    final PlacedCount withoutKey = new PlacedCount();
    /** Directions whose secrets do not open their records. */
    final PlacedCount keyWrong = new PlacedCount();
    /** Directions with a version or cipher suite that is not supported. */
    final PlacedCount unsupported = new PlacedCount();
    /** Directions that began before the capture, or whose hello was not captured. */
    final PlacedCount withoutHello = new PlacedCount();
    /** Holes, behind which reading went on with the next whole record. */
    final PlacedCount holes = new PlacedCount();
    /** Directions given up behind a hole, or at what is no record. */
    final PlacedCount givenUp = new PlacedCount();

    void report(BiConsumer<String, PlacedCount> to) {
        to.accept("tlsWithoutKey", withoutKey);
        to.accept("tlsKeyWrong", keyWrong);
        to.accept("tlsUnsupported", unsupported);
        to.accept("tlsWithoutHello", withoutHello);
        to.accept("tlsHoles", holes);
        to.accept("tlsGivenUp", givenUp);
    }
}
