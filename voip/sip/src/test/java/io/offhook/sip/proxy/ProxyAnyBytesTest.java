package io.offhook.sip.proxy;

import static io.offhook.sip.proxy.Draft.ALICE;
import static io.offhook.sip.proxy.Draft.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Any bytes from anywhere: nothing throws, nothing is left. */
class ProxyAnyBytesTest {
    private static final byte[] SPICE = "\r\n \t:;,<>\"\\=@\0%/?[]z9hG4bK".getBytes(StandardCharsets.US_ASCII);

    /** Requests and responses with which a core does all that it can. */
    static List<String> messages(ProxyScene scene) {
        List<String> messages = new ArrayList<>(List.of(
                Draft.invite()
                        .header("Route: <sip:192.0.2.1;lr>, <sip:" + BOB + ">")
                        .text(),
                Draft.invite()
                        .branch("2")
                        .uri("sip:bob@example.com;maddr=192.0.2.1")
                        .header("Max-Breadth: 2")
                        .text(),
                Draft.of("BYE")
                        .branch("3")
                        .uri("sip:192.0.2.1;lr")
                        .toTag("b")
                        .header("Route: <sip:b@" + BOB + ">")
                        .text(),
                Draft.of("ACK")
                        .branch("4")
                        .toTag("b")
                        .header("Route: <sip:proxy.example.com;lr>")
                        .text(),
                Draft.of("CANCEL").branch("2").text(),
                Draft.of("CANCEL").branch("5").text(),
                Draft.of("OPTIONS")
                        .via("SIP/2.0/UDP 10.0.0.1;rport;received=1.2.3.4;maddr=1.2.3.5;branch=1")
                        .text(),
                Draft.of("OPTIONS")
                        .branch("6")
                        .uri("sip:[2001:db8::2]:5070;transport=tcp")
                        .text(),
                Draft.of("SUBSCRIBE")
                        .branch("7")
                        .header("Proxy-Require: a, b")
                        .header("v: SIP/2.0/TCP a, SIP/2.0/UDP b")
                        .text()));
        scene.send(ALICE, Draft.invite().branch("8").text());
        ProxyScene.Received invite = scene.take(BOB);
        for (int status : new int[] {100, 180, 200, 302, 401, 486, 503, 600}) {
            messages.add(invite.answer(status, "b", "Contact: <sip:x@" + BOB + ">;q=0.5, <sip:y@example.com>"));
        }
        return messages;
    }

    /** A policy that uses the bytes of the request. */
    static void policy(ProxyScene scene) {
        scene.names.put("example.com", List.of(BOB, "TCP " + BOB));
        scene.decision = (context, request) -> {
            switch ((int) (context.number() % 3)) {
                case 0 ->
                    context.fork(
                            List.of(
                                    List.of(ForkTarget.of(request.requestUri()), ForkTarget.of("sip:x@" + BOB)),
                                    List.of(ForkTarget.of("sip:y@example.com"))),
                            scene.nowNs);
                case 1 -> context.reply(404, "Not Found", "", scene.nowNs);
                default -> context.relay(scene.nowNs);
            }
        };
    }

    static void end(ProxyScene scene) {
        scene.pass(400 * ProxyScene.SECOND);
        assertThat(scene.isEmpty()).isTrue();
    }

    private static byte[] mutated(byte[] original, Random random) {
        byte[] bytes = original.clone();
        for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] = SPICE[random.nextInt(SPICE.length)];
                case 2 -> {
                    int count = Math.min(random.nextInt(40), bytes.length - at);
                    System.arraycopy(original, random.nextInt(original.length - count + 1), bytes, at, count);
                }
                default -> {
                    int count = random.nextInt(Math.min(20, bytes.length - at));
                    byte[] shorter = new byte[bytes.length - count];
                    System.arraycopy(bytes, 0, shorter, 0, at);
                    System.arraycopy(bytes, at + count, shorter, at, bytes.length - at - count);
                    bytes = shorter.length > 0 ? shorter : bytes;
                }
            }
        }
        return bytes;
    }

    @Test
    void survivesMutatedMessages() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            ProxyScene scene = new ProxyScene(ProxySettings.standard(random.nextLong())
                    .with(new ProxySettings.Forking(true, 5))
                    .with(new ProxySettings.Presence(true, round % 2 == 1)));
            List<String> messages = messages(scene);
            policy(scene);
            for (int i = 0; i < 500; i++) {
                byte[] original = messages.get(random.nextInt(messages.size())).getBytes(StandardCharsets.UTF_8);
                byte[] bytes = random.nextInt(5) == 0 ? original : mutated(original, random);
                scene.receive(random.nextBoolean() ? ALICE : "TCP " + BOB, random.nextInt(3), bytes);
                scene.passMs(random.nextInt(100));
            }
            end(scene);
        }
    }

    @Test
    void survivesEveryTruncation() {
        ProxyScene scene = new ProxyScene();
        List<String> messages = messages(scene);
        policy(scene);
        for (String message : messages) {
            byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
            for (int length = 0; length <= bytes.length; length++) {
                scene.receive(ALICE, 0, Arrays.copyOf(bytes, length));
            }
        }
        end(scene);
    }
}
