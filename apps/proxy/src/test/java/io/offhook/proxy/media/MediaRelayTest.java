package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigException;
import io.offhook.config.ConfigReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sockets, with an engine that is a socket of the test. */
@Timeout(60)
class MediaRelayTest {
    private static final MediaRequest OFFER =
            new MediaRequest(MediaCommand.OFFER, "id", "f", "", "", false, "v=0\r\ns=\u00e4\r\n");

    private static MediaConfig config(int port, String more) {
        return ConfigReader.of(MediaConfig.schema())
                .read("engines: [{address: '127.0.0.1:" + port + "'}]\n" + more, "proxy.yaml");
    }

    private static DatagramSocket engine() throws Exception {
        return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private static String received(DatagramSocket engine, DatagramPacket packet) throws Exception {
        engine.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void completesACommandWithTheAnswer() throws Exception {
        try (DatagramSocket engine = engine();
                MediaRelay relay = new MediaRelay(config(engine.getLocalPort(), "retry-after: 20s\n"))) {
            CompletableFuture<MediaReply> reply = relay.send(OFFER).toCompletableFuture();
            DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
            String command = received(engine, packet);
            assertThat(command).contains("7:command5:offer", "3:sdp10:v=0\r\ns=\u00e4\r\n");
            String cookie = command.substring(0, command.indexOf(' '));
            byte[] answer = (cookie + " d6:result2:ok3:sdp5:v=0\r\ne").getBytes(StandardCharsets.ISO_8859_1);
            engine.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));

            assertThat(reply.get(20, TimeUnit.SECONDS)).isEqualTo(new MediaReply(MediaReply.Status.OK, "v=0\r\n", ""));
            assertThat(relay.counts().get(MediaCounter.COMMANDS)).isEqualTo(1);
            assertThat(relay.onFailure()).isEqualTo(MediaConfig.FailurePolicy.REFUSE);
        }
    }

    @Test
    void failsAtOnceWhereNobodyListens() throws Exception {
        // connected to somebody else, so that it takes nothing of us, and nobody else gets the port
        try (DatagramSocket reserved = engine();
                MediaRelay relay =
                        new MediaRelay(config(reserved.getLocalPort(), "retry-after: 20s\non-failure: pass\n"))) {
            reserved.connect(InetAddress.getLoopbackAddress(), 9);
            MediaReply reply = relay.send(OFFER).toCompletableFuture().get(15, TimeUnit.SECONDS);

            assertThat(reply.status()).isEqualTo(MediaReply.Status.NO_ANSWER);
            assertThat(relay.onFailure()).isEqualTo(MediaConfig.FailurePolicy.PASS);
        }
    }

    @Test
    void failsAfterAllTriesWhereTheEngineIsSilent() throws Exception {
        try (DatagramSocket engine = engine();
                MediaRelay relay = new MediaRelay(config(engine.getLocalPort(), "retry-after: 20ms\ntries: 3\n"))) {
            MediaReply reply = relay.send(OFFER).toCompletableFuture().get(20, TimeUnit.SECONDS);

            assertThat(reply.status()).isEqualTo(MediaReply.Status.NO_ANSWER);
            assertThat(relay.counts().get(MediaCounter.RETRANSMISSIONS)).isEqualTo(2);
            assertThat(relay.counts().get(MediaCounter.TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void failsWithoutEngines() throws Exception {
        MediaConfig none = ConfigReader.of(MediaConfig.schema()).read("", "proxy.yaml");
        try (MediaRelay relay = new MediaRelay(none)) {
            assertThat(relay.send(OFFER)
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS)
                            .status())
                    .isEqualTo(MediaReply.Status.NO_ANSWER);
        }
    }

    @Test
    void refusesOpenCommandsWhenItIsClosed() throws Exception {
        try (DatagramSocket engine = engine()) {
            MediaRelay relay = new MediaRelay(config(engine.getLocalPort(), "retry-after: 20s\n"));
            CompletableFuture<MediaReply> reply = relay.send(OFFER).toCompletableFuture();
            received(engine, new DatagramPacket(new byte[2000], 2000));
            relay.close();

            assertThat(reply.get(20, TimeUnit.SECONDS).status()).isEqualTo(MediaReply.Status.REFUSED);
            assertThat(relay.send(OFFER)
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS)
                            .status())
                    .isEqualTo(MediaReply.Status.REFUSED);
        }
    }

    @Test
    void reportsFaultsOfTheConfiguration() {
        assertThat(faults("engines: [{address: relay.example:2223}]")).contains("is not an address with a port");
        assertThat(faults("engines: [{address: '127.0.0.1'}]")).contains("is not an address with a port");
        assertThat(faults("engines: [{address: '127.0.0.1:1', weight: 0}]")).contains("outside 1 to 1000");
        assertThat(faults("profile: {caller-interface: a}")).contains("the engine needs the interfaces of both sides");
        assertThat(faults("profiles: {web: {to-caller: {ice: melt}}}")).contains("ice");
        assertThat(faults("profile: {to-caller: {flags: ['a b']}}")).contains("is not a word");
    }

    private static String faults(String yaml) {
        try {
            ConfigReader.of(MediaConfig.schema()).read(yaml, "proxy.yaml");
            return "none";
        } catch (ConfigException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
