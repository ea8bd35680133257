package io.offhook.cli.serve;

import io.offhook.packet.FrameBatch;
import io.offhook.pcap.CaptureInterface;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.WrappedSource;
import java.util.List;

/** The frames of a source that were captured at one of its inputs. */
final class OneInput extends WrappedSource {
    private final PacketSource source;
    private final String name;
    private int[] wanted = {};

    /** @param name of the interfaces of that input */
    OneInput(PacketSource source, String name) {
        super(source);
        this.source = source;
        this.name = name;
    }

    @Override
    public boolean next(FrameBatch batch) {
        while (source.next(batch)) {
            sift(batch);
            if (batch.count() > 0) {
                return true;
            }
        }
        return false;
    }

    private void sift(FrameBatch batch) {
        List<CaptureInterface> interfaces = source.interfaces();
        int count = batch.count();
        wanted = wanted.length < count ? new int[batch.capacity()] : wanted;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (name.equals(interfaces.get(batch.interfaceIndex(i)).name())) {
                wanted[kept++] = i;
            }
        }
        if (kept < count) {
            batch.retain(wanted, kept);
        }
    }
}
