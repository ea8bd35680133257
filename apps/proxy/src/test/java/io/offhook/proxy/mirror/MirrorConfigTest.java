package io.offhook.proxy.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigReader;
import io.offhook.hep.HepAgent;
import io.offhook.hep.HepPacket;
import io.offhook.hep.HepPayloadType;
import io.offhook.hep.HepSender;
import io.offhook.hep.HepTarget;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MirrorConfigTest {
    private static MirrorConfig read(String yaml) {
        return ConfigReader.of(MirrorConfig.schema()).read(yaml, "proxy.yaml");
    }

    @Test
    void mirrorsNothingUnlessThereIsACollector() {
        assertThat(read("").start()).isNull();
    }

    @Test
    void readsTheCollectorAndWhoWeAre() {
        MirrorConfig config =
                read("{host: hep.example, port: 9061, transport: tls, capture-id: 7, auth-key: k, node-name: n}");

        assertThat(config.target()).isEqualTo(new HepTarget("hep.example", 9061, HepTarget.HepTransport.TLS));
        assertThat(config.agent()).isEqualTo(new HepAgent(7, "k", "n"));
        assertThat(config.queueBytes()).isEqualTo(4 << 20);
        assertThatThrownBy(() -> read("{host: a, transport: pigeon}")).isInstanceOf(ConfigException.class);
    }

    @Test
    @Timeout(30)
    void startsASenderToTheCollector() throws Exception {
        try (DatagramSocket collector = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                HepSender sender =
                        Objects.requireNonNull(read("{host: 127.0.0.1, port: " + collector.getLocalPort() + "}")
                                .start())) {
            byte[] payload = "x".getBytes(StandardCharsets.US_ASCII);
            sender.feed().offer(new HepPacket().payload(HepPayloadType.LOG, payload, 0, 1));
            DatagramPacket received = new DatagramPacket(new byte[200], 200);
            collector.receive(received);
            assertThat(new String(received.getData(), 0, 4, StandardCharsets.US_ASCII))
                    .isEqualTo("HEP3");
        }
    }
}
