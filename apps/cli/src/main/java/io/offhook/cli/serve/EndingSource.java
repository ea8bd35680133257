package io.offhook.cli.serve;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import java.util.function.BooleanSupplier;

/** A source that ends, after the round that is being read, when nobody wants its packets any more. */
final class EndingSource extends WrappedSource {
    private final BooleanSupplier isOver;

    /** @param isOver asked by the thread that reads */
    EndingSource(PacketSource source, BooleanSupplier isOver) {
        super(source);
        this.isOver = isOver;
    }

    @Override
    public boolean next(FrameBatch batch) {
        return !isOver.getAsBoolean() && super.next(batch);
    }
}
