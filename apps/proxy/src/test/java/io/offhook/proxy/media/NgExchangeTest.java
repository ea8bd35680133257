package io.offhook.proxy.media;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.config.ConfigReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** On simulated time, with engines that are lists of datagrams. */
class NgExchangeTest {
    private static final long MS = 1_000_000L;

    private record Sent(int engine, String text) {
        String cookie() {
            return text.substring(0, text.indexOf(' '));
        }
    }

    private final Deque<Sent> sent = new ArrayDeque<>();
    private final MediaCounts counts = new MediaCounts();
    private final List<MediaReply> replies = new ArrayList<>();
    private final MediaConfig config = config(2, "");
    private NgExchange exchange = exchange(config);
    private long nowNs = Long.MAX_VALUE - 500 * MS; // nanoseconds of the system may overflow

    private static MediaConfig config(int engines, String more) {
        StringBuilder yaml = new StringBuilder("engines:\n");
        for (int i = 0; i < engines; i++) {
            yaml.append("  - {address: '192.0.2.").append(i + 1).append(":2223'}\n");
        }
        return ConfigReader.of(MediaConfig.schema()).read(yaml + more, "proxy.yaml");
    }

    private NgExchange exchange(MediaConfig config) {
        return new NgExchange(
                config,
                "c_",
                (engine, datagram) -> sent.add(new Sent(engine, new String(datagram, StandardCharsets.ISO_8859_1))),
                counts);
    }

    private static MediaRequest request(MediaCommand command, String callId) {
        return new MediaRequest(command, callId, "f", "t", "", false, "v=0\r\n");
    }

    private void submit(MediaCommand command, String callId) {
        exchange.submit(request(command, callId), config.profile(), replies::add, nowNs);
    }

    private void answer(Sent to, String dictionary) {
        byte[] octets = (to.cookie() + " " + dictionary).getBytes(StandardCharsets.ISO_8859_1);
        exchange.received(to.engine(), octets, octets.length, nowNs);
    }

    private void pass(long ms) {
        nowNs += ms * MS;
        exchange.poll(nowNs);
    }

    @Test
    void sendsTheFlagsOfTheSideThatTheSessionDescriptionGoesTo() {
        MediaConfig.Profile profile =
                ConfigReader.of(MediaConfig.schema()).read("""
                profile:
                  caller-interface: web
                  callee-interface: lan
                  to-caller: {ice: force, transport: udp-tls-rtp-savpf, rtcp-mux: [offer], flags: [trust-address]}
                  to-callee: {transport: rtp-avp, replace-origin: false}
                """, "proxy.yaml").profile();

        assertThat(written(new MediaRequest(MediaCommand.OFFER, "id", "f", "", "b1", false, "v=0\r\n"), profile))
                .isEqualTo(
                        "d3:ICE6:remove7:call-id2:id7:command5:offer9:directionl3:web3:lane8:from-tag1:f"
                                + "7:replacel18:session-connectione3:sdp5:v=0\r\n18:transport-protocol7:RTP/AVP10:via-branch2:b1e");
        assertThat(written(new MediaRequest(MediaCommand.ANSWER, "id", "f", "t", "", true, "v=0\r\n"), profile))
                .isEqualTo("d3:ICE5:force7:call-id2:id7:command6:answer5:flagsl13:trust-addresse8:from-tag1:f"
                        + "7:replacel6:origin18:session-connectione8:rtcp-muxl5:offere3:sdp5:v=0\r\n6:to-tag1:te");
        assertThat(written(new MediaRequest(MediaCommand.OFFER, "id", "t", "f", "", true, "x"), profile))
                .contains("9:directionl3:lan3:webe", "18:transport-protocol17:UDP/TLS/RTP/SAVPF");
        assertThat(written(MediaRequest.delete("id", "f"), profile))
                .isEqualTo("d7:call-id2:id7:command6:delete8:from-tag1:fe");
    }

    private static String written(MediaRequest request, MediaConfig.Profile profile) {
        return new String(request.written(profile), StandardCharsets.ISO_8859_1);
    }

    @Test
    void completesWithTheSessionDescriptionOfTheAnswer() {
        submit(MediaCommand.OFFER, "a");
        answer(sent.remove(), "d6:result2:ok3:sdp9:v=0\r\no=x\ne");

        assertThat(replies).containsExactly(new MediaReply(MediaReply.Status.OK, "v=0\r\no=x\n", ""));
        assertThat(exchange.openCommands()).isZero();
    }

    @Test
    void reportsTheReasonOfAnError() {
        submit(MediaCommand.OFFER, "a");
        answer(sent.remove(), "d12:error-reason7:bad sdp6:result5:errore");

        assertThat(replies).containsExactly(new MediaReply(MediaReply.Status.ERROR, "", "bad sdp"));
        assertThat(counts.get(MediaCounter.ERRORS)).isEqualTo(1);
    }

    @Test
    void sendsAgainWithTheSameCookieUntilItIsAnswered() {
        submit(MediaCommand.OFFER, "a");
        Sent first = sent.remove();
        assertThat(exchange.poll(nowNs)).isEqualTo(300 * MS);
        pass(299);
        assertThat(sent).isEmpty();
        pass(1);
        assertThat(sent.remove()).isEqualTo(first);
        pass(300);
        assertThat(sent.remove()).isEqualTo(first);
        answer(first, "d6:result2:oke");
        pass(10_000);

        assertThat(sent).isEmpty();
        assertThat(replies).hasSize(1);
        assertThat(counts.get(MediaCounter.RETRANSMISSIONS)).isEqualTo(2);
        answer(first, "d6:result2:oke");
        assertThat(replies).as("the answer to what was sent again").hasSize(1);
        assertThat(counts.get(MediaCounter.UNEXPECTED)).isEqualTo(1);
    }

    @Test
    void takesAnOfferToAnotherEngineWhereOneIsSilent() {
        submit(MediaCommand.OFFER, "a");
        Sent first = sent.remove();
        pass(300);
        pass(300);
        pass(300);
        sent.removeIf(again -> again.equals(first));
        Sent second = sent.remove();

        assertThat(second.engine()).isNotEqualTo(first.engine());
        assertThat(exchange.isUp(first.engine())).isFalse();
        answer(second, "d6:result2:oke");
        assertThat(replies).extracting(MediaReply::status).containsExactly(MediaReply.Status.OK);
        submit(MediaCommand.ANSWER, "a");
        assertThat(sent.remove().engine()).as("the call stays there").isEqualTo(second.engine());
    }

    @Test
    void failsAtOnceWhereAllEnginesAreSilent() {
        submit(MediaCommand.OFFER, "a");
        for (int i = 0; i < 6; i++) {
            pass(300);
        }
        assertThat(replies).extracting(MediaReply::status).containsExactly(MediaReply.Status.NO_ANSWER);
        sent.clear();
        submit(MediaCommand.OFFER, "b");
        assertThat(replies).hasSize(2);
        assertThat(sent).isEmpty();
        assertThat(counts.get(MediaCounter.UNANSWERED)).isEqualTo(2);
    }

    @Test
    void takesAnEngineBackOnceItAnswersAPing() {
        exchange = exchange(config(1, "ping-every: 5s\n"));
        submit(MediaCommand.OFFER, "a");
        exchange.unreachable(0, nowNs);
        assertThat(replies).extracting(MediaReply::status).containsExactly(MediaReply.Status.NO_ANSWER);
        sent.clear();
        assertThat(exchange.poll(nowNs)).isLessThanOrEqualTo(5000 * MS);
        pass(4999);
        assertThat(sent).isEmpty();
        pass(1);
        Sent ping = sent.remove();
        assertThat(ping.text()).endsWith(" d7:command4:pinge");
        pass(5000);
        assertThat(sent.remove().cookie()).as("another one").isNotEqualTo(ping.cookie());
        pass(4000);
        pass(1000);
        answer(sent.remove(), "d6:result4:ponge");

        assertThat(exchange.isUp(0)).isTrue();
        submit(MediaCommand.OFFER, "b");
        assertThat(sent).hasSize(1);
        assertThat(replies).hasSize(1);
    }

    @Test
    void keepsACallWithItsEngineWhenAnotherOneComesBack() {
        Set<String> moved = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            String callId = "call-" + i;
            submit(MediaCommand.OFFER, callId);
            Sent offer = sent.remove();
            exchange.unreachable(offer.engine(), nowNs); // its first choice
            Sent second = sent.remove();
            answer(second, "d6:result2:oke");
            pass(5000);
            answer(sent.remove(), "d6:result4:ponge");
            submit(MediaCommand.OFFER, callId);
            if (sent.remove().engine() != second.engine()) {
                moved.add(callId);
            }
        }
        assertThat(moved).isEmpty();
    }

    @Test
    void movesACallWhoseEngineIsSilentAtItsNextOffer() {
        submit(MediaCommand.OFFER, "a");
        Sent first = sent.remove();
        answer(first, "d6:result2:oke");
        submit(MediaCommand.ANSWER, "a");
        exchange.unreachable(first.engine(), nowNs);
        assertThat(replies.getLast().status())
                .as("an answer is of use to no other engine")
                .isEqualTo(MediaReply.Status.NO_ANSWER);
        sent.clear();
        submit(MediaCommand.OFFER, "a");

        assertThat(sent.remove().engine()).isNotEqualTo(first.engine());
    }

    @Test
    void takesAnOfferToAnotherEngineWhereOneIsFull() {
        submit(MediaCommand.OFFER, "a");
        Sent first = sent.remove();
        answer(first, "d7:message8:too many6:result10:load limite");
        Sent second = sent.remove();
        assertThat(second.engine()).isNotEqualTo(first.engine());
        assertThat(exchange.isUp(first.engine())).isTrue();
        answer(second, "d6:result10:load limite");

        assertThat(replies).extracting(MediaReply::status).containsExactly(MediaReply.Status.NO_ANSWER);
    }

    @Test
    void takesNoAnswerOfAnotherEngineOrWithAnotherCookie() {
        submit(MediaCommand.OFFER, "a");
        Sent offer = sent.remove();
        answer(new Sent(1 - offer.engine(), offer.text()), "d6:result2:oke");
        answer(new Sent(offer.engine(), "x y"), "d6:result2:oke");
        byte[] noSpace = offer.cookie().getBytes(StandardCharsets.ISO_8859_1);
        exchange.received(offer.engine(), noSpace, noSpace.length, nowNs);
        answer(offer, "l6:resulte");
        exchange.received(offer.engine(), new byte[0], 0, nowNs);

        assertThat(replies).isEmpty();
        assertThat(counts.get(MediaCounter.UNEXPECTED)).isEqualTo(3);
        assertThat(counts.get(MediaCounter.MALFORMED)).isEqualTo(2);
    }

    @Test
    void refusesCommandsBeyondItsLimit() {
        exchange = exchange(config(1, "max-open-commands: 2\n"));
        submit(MediaCommand.OFFER, "a");
        submit(MediaCommand.OFFER, "b");
        submit(MediaCommand.OFFER, "c");

        assertThat(replies).extracting(MediaReply::status).containsExactly(MediaReply.Status.REFUSED);
        exchange.close();
        assertThat(replies).hasSize(3);
    }

    @Test
    void forgetsTheCallThatWasSilentForLongest() {
        exchange = exchange(config(1, "max-calls: 2\n"));
        for (String callId : List.of("a", "b", "a", "c")) {
            submit(MediaCommand.OFFER, callId);
            answer(sent.remove(), "d6:result2:oke");
        }
        assertThat(exchange.engineOf("b")).isNull();
        assertThat(exchange.engineOf("a")).isZero();
        assertThat(counts.get(MediaCounter.CALLS_FORGOTTEN)).isEqualTo(1);
        submit(MediaCommand.DELETE, "a");
        answer(sent.remove(), "d6:result2:oke");
        assertThat(exchange.calls()).isEqualTo(1);
    }

    /** Loss, duplication and reordering: each command completes once, and is done at most once an engine. */
    @Test
    void completesEachCommandOnceWhateverTheNetworkDoes() {
        for (long seed = 1; seed <= 200; seed++) {
            storm(new Random(seed), seed);
        }
    }

    private record Flying(long atNs, int engine, String text, boolean isAnswer) {}

    private void storm(Random random, long seed) {
        PriorityQueue<Flying> flying = new PriorityQueue<>((one, other) -> Long.compare(one.atNs - other.atNs, 0));
        Map<String, Integer> completed = new HashMap<>();
        NgExchange[] lossy = new NgExchange[1];
        MediaCounts storming = new MediaCounts();
        lossy[0] = new NgExchange(
                config,
                "s" + seed + "_",
                (engine, datagram) -> fly(
                        random,
                        flying,
                        new Flying(nowNs, engine, new String(datagram, StandardCharsets.ISO_8859_1), false)),
                storming);
        int commands = 40;
        int submitted = 0;
        for (int step = 0; step < 100_000 && completed.size() < commands; step++) {
            nowNs += random.nextInt(40) * MS;
            if (submitted < commands && random.nextInt(4) == 0) {
                String callId = "call-" + submitted++;
                lossy[0].submit(
                        request(MediaCommand.OFFER, callId),
                        config.profile(),
                        _ -> completed.merge(callId, 1, Integer::sum),
                        nowNs);
            }
            while (!flying.isEmpty() && flying.peek().atNs - nowNs <= 0) {
                Flying landed = flying.remove();
                String cookie = landed.text.substring(0, landed.text.indexOf(' '));
                if (landed.isAnswer) {
                    byte[] octets = landed.text.getBytes(StandardCharsets.ISO_8859_1);
                    lossy[0].received(landed.engine, octets, octets.length, nowNs);
                } else {
                    String result = landed.text.contains("4:ping") ? "4:pong" : "2:ok";
                    fly(random, flying, new Flying(nowNs, landed.engine, cookie + " d6:result" + result + "e", true));
                }
            }
            lossy[0].poll(nowNs);
        }
        assertThat(completed).as("seed %d", seed).hasSize(commands);
        assertThat(completed.values()).as("seed %d", seed).containsOnly(1);
        nowNs += 60_000 * MS;
        lossy[0].poll(nowNs);
        nowNs += 60_000 * MS;
        lossy[0].poll(nowNs);
        assertThat(lossy[0].openCommands())
                .as("seed %d: pings of silent engines alone", seed)
                .isLessThanOrEqualTo(2);
    }

    private void fly(Random random, PriorityQueue<Flying> flying, Flying datagram) {
        for (int copies = random.nextInt(5) == 0 ? 2 : 1; copies > 0; copies--) {
            if (random.nextInt(4) > 0) {
                long atNs = datagram.atNs + random.nextInt(500) * MS;
                flying.add(new Flying(atNs, datagram.engine, datagram.text, datagram.isAnswer));
            }
        }
    }
}
