package io.offhook.examples;

import io.offhook.packet.FrameBatch;
import io.offhook.packet.LayerType;
import io.offhook.packet.walk.PacketWalker;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import java.util.EnumMap;
import java.util.Map;

/** Counts the layers of all packets: {@code CountProtocols FILE}. */
public final class CountProtocols {
    private CountProtocols() {}

    public static void main(String[] args) {
        Map<LayerType, Long> counts = new EnumMap<>(LayerType.class);
        PacketWalker walker = new PacketWalker();
        FrameBatch batch = new FrameBatch(4096);
        try (PacketSource source = CaptureFiles.open(args[0])) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    walker.walk(batch, i);
                    for (int layer = 0; layer < walker.layerCount(); layer++) {
                        counts.merge(walker.layerType(layer), 1L, Long::sum);
                    }
                }
            }
        }
        counts.forEach((type, count) -> System.out.println(type.label() + " " + count));
    }
}
