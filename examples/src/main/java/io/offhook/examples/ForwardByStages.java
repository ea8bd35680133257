package io.offhook.examples;

import io.offhook.forward.BridgeStage;
import io.offhook.forward.Burst;
import io.offhook.forward.Forwarder;
import io.offhook.forward.MacTable;
import io.offhook.forward.PacketSocketPort;
import io.offhook.forward.Stage;
import io.offhook.packet.UdpView;
import java.util.List;

/**
 * A bridge between two interfaces that lets no SIP through, for so many seconds: {@code ForwardByStages LEFT RIGHT SECONDS}.
 * The bridge is one of Offhook's stages, the rest is a stage of one's own.
 */
public final class ForwardByStages {
    private static final long AGEING_NS = 300_000_000_000L;

    private ForwardByStages() {}

    /** Drops what goes to port 5060 over UDP. One of these is made for each lane. */
    private static final class NoSip implements Stage {
        private final UdpView udp = new UdpView();

        @Override
        public String name() {
            return "no-sip";
        }

        @Override
        public List<String> dropCauses() {
            return List.of("SIP");
        }

        @Override
        public void process(Burst burst) {
            for (int i = 0, count = burst.count(); i < count; i++) {
                if (burst.layers(i).find(udp) && udp.destinationPort() == 5060) {
                    burst.drop(i, 0);
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        MacTable table = new MacTable(8192, AGEING_NS);
        try (Forwarder forwarder = new Forwarder.Builder()
                .port(new PacketSocketPort("left", args[0], 2048, true))
                .port(new PacketSocketPort("right", args[1], 2048, true))
                .lane(-1, 0, 1) // on any processor, reading from both
                .stages(() -> List.of(new NoSip(), new BridgeStage(0b11, table)))
                .open()) {
            forwarder.start();
            Thread.sleep(Long.parseLong(args[2]) * 1000);
            forwarder.stop();
            forwarder
                    .statistics()
                    .drops()
                    .forEach(drops -> System.out.println(
                            drops.stage() + ", " + drops.cause() + ": " + drops.packets() + " packets dropped"));
        }
    }
}
