package io.offhook.cli.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.testkit.network.Network;
import io.offhook.testkit.peers.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls of baresip and sipp through kamailio and rtpengine, captured on both sides of them: what Offhook reports.
 * docs/CONFORMANCE.md, "Real receivers", has what the peers reported.
 */
class RealProxyTest {
    private static final String KEY_BY_INFO = """
            <?xml version="1.0"?>
            <scenario name="key press by INFO">
              <send retrans="500"><![CDATA[
                INVITE sip:bob@10.9.1.254 SIP/2.0
                Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
                From: <sip:carol@10.9.1.254>;tag=[call_number]
                To: <sip:bob@10.9.1.254>
                Call-ID: [call_id]
                CSeq: 1 INVITE
                Contact: <sip:carol@[local_ip]:[local_port]>
                Max-Forwards: 70
                Content-Type: application/sdp
                Content-Length: [len]

                v=0
                o=carol 1 1 IN IP4 [local_ip]
                s=-
                c=IN IP4 [local_ip]
                t=0 0
                m=audio 35000 RTP/AVP 0
                a=rtpmap:0 PCMU/8000
              ]]></send>
              <recv response="100" optional="true"/>
              <recv response="180" optional="true"/>
              <recv response="200" rrs="true"/>
              <send><![CDATA[
                ACK [next_url] SIP/2.0
                Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
                [routes]
                From: <sip:carol@10.9.1.254>;tag=[call_number]
                [last_To:]
                Call-ID: [call_id]
                CSeq: 1 ACK
                Max-Forwards: 70
                Content-Length: 0
              ]]></send>
              <send retrans="500"><![CDATA[
                INFO [next_url] SIP/2.0
                Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
                [routes]
                From: <sip:carol@10.9.1.254>;tag=[call_number]
                [last_To:]
                Call-ID: [call_id]
                CSeq: 2 INFO
                Max-Forwards: 70
                Content-Type: application/dtmf-relay
                Content-Length: [len]

                Signal=5
                Duration=160
              ]]></send>
              <recv response="200"/>
              <send retrans="500"><![CDATA[
                BYE [next_url] SIP/2.0
                Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
                [routes]
                From: <sip:carol@10.9.1.254>;tag=[call_number]
                [last_To:]
                Call-ID: [call_id]
                CSeq: 3 BYE
                Max-Forwards: 70
                Content-Length: 0
              ]]></send>
              <recv response="200"/>
            </scenario>
            """;

    @Test
    void reportsWhatPhonesBehindAProxyAndARelayDid(@TempDir Path folder) throws Exception {
        assumeTrue(Network.isPossible(), "networks need root and ip");
        assumeFalse(Baresip.isMissing(), "baresip is not installed");
        assumeFalse(Program.isMissing("kamailio", "-v"), "kamailio is not installed");
        assumeFalse(Program.isMissing("rtpengine", "--version"), "rtpengine is not installed");
        assumeFalse(Program.isMissing("sipp", "-v"), "sipp is not installed");
        assumeFalse(Program.isMissing("tcpdump", "--version"), "tcpdump is not installed");
        Path capture = folder.resolve("calls.pcap");
        int sentByAlice;
        try (ProxyNetwork proxy = new ProxyNetwork(folder);
                TrafficCapture packets =
                        new TrafficCapture(proxy.network, proxy.network.middle(), "any", capture, "127.0.0.1")) {
            sentByAlice = callsOfPhones(proxy, folder);
            packets.end();
        }
        List<Map<String, Object>> calls = documents("calls", capture);
        assertThat(calls)
                .extracting(call -> call.get("outcome"))
                .containsExactly("answered", "busy", "cancelled", "answered");
        assertThat(calls)
                .extracting(RealProxyTest::problems)
                .containsExactly(List.of(), List.of("busy normal"), List.of("cancelled normal"), List.of());
        assertThat(calls)
                .extracting(RealProxyTest::keys)
                .containsExactly(
                        List.of("4 of caller by event", "2 of caller by event"),
                        List.of(),
                        List.of(),
                        List.of("5 of caller by info"));
        assertThat(Json.objects(calls.getLast().get("keys")).getFirst()).containsEntry("durationMs", 160L);
        compareForkedCall(calls.getFirst(), sentByAlice);
        assertThat(calls.get(1)).containsEntry("finalStatus", 486L).containsEntry("to", "dave");
        assertThat(calls.get(2)).containsEntry("finalStatus", 487L).containsEntry("to", "dave");
        assertThat(methods(capture, Json.text(calls.getLast(), "callId"))).contains("200 OK INFO");
        // each phone took its binding back when it ended
        assertThat(documents("registrations", capture))
                .extracting(each -> each.get("user") + " " + each.get("outcome") + " " + each.get("requests"))
                .containsExactly("bob removed 2", "dave removed 2", "bob removed 2", "alice removed 2");
    }

    /** Returns how many RTP packets the phone of alice counted as sent. */
    private static int callsOfPhones(ProxyNetwork proxy, Path folder) throws Exception {
        try (Baresip bob = phone(proxy, folder, true, "bob", ";answermode=auto", 1);
                Baresip dave = phone(proxy, folder, true, "dave", "", 2);
                Baresip otherOfBob = phone(proxy, folder, true, "bob", "", 3);
                Baresip alice = phone(proxy, folder, false, "alice", "", 1)) {
            forkedCall(alice, bob, otherOfBob);
            alice.command("dial", "sip:dave@" + ProxyNetwork.LEFT_PROXY);
            dave.await("CALL_INCOMING");
            dave.command("hangup", ""); // before it answers: 486
            alice.await("CALL_CLOSED");
            alice.command("dial", "sip:dave@" + ProxyNetwork.LEFT_PROXY);
            dave.await("CALL_INCOMING");
            alice.await("CALL_RINGING");
            alice.command("hangup", "");
            dave.await("CALL_CLOSED");
            callWithInfo(proxy.network, folder);
            String printed = alice.end();
            for (Baresip phone : List.of(bob, dave, otherOfBob)) {
                phone.end();
            }
            return Baresip.number(printed, "packets: +(\\d+) ");
        }
    }

    /** Two phones of bob ring, one answers; two keys are pressed; it lasts until RTCP arrives, about 5 s. */
    private static void forkedCall(Baresip alice, Baresip bob, Baresip otherOfBob) throws Exception {
        alice.command("dial", "sip:bob@" + ProxyNetwork.LEFT_PROXY);
        alice.await("CALL_ESTABLISHED");
        otherOfBob.await("CALL_CLOSED");
        alice.command("sndcode", "42");
        bob.await("CALL_DTMF_END");
        bob.await("CALL_DTMF_END");
        bob.await("CALL_RTCP");
        alice.command("hangup", "");
        bob.await("CALL_CLOSED");
        alice.await("CALL_CLOSED");
    }

    private static void callWithInfo(Network network, Path folder) throws Exception {
        Path scenario = Files.writeString(folder.resolve("info.xml"), KEY_BY_INFO);
        network.left()
                .run(
                        "sipp",
                        "-sf",
                        scenario.toString(),
                        "-i",
                        "10.9.1.1",
                        "-p",
                        "5090",
                        "-m",
                        "1",
                        "-timeout",
                        "20",
                        "-nostdin",
                        ProxyNetwork.LEFT_PROXY + ":5060");
    }

    private static void compareForkedCall(Map<String, Object> call, int sentByAlice) {
        assertThat(call).containsEntry("finalStatus", 200L).containsEntry("hungUpBy", "caller");
        assertThat(Json.objects(call.get("legs")))
                .extracting(leg -> leg.get("source") + " " + leg.get("destination"))
                .containsExactlyInAnyOrder(
                        "10.9.1.1:5070 10.9.1.254:5060",
                        "10.9.2.254:5060 10.9.2.1:5070",
                        "10.9.2.254:5060 10.9.2.1:5090");
        List<Map<String, Object>> streams = Json.objects(call.get("streams"));
        assertThat(streams)
                .extracting(stream -> stream.get("direction") + " " + host(stream, "source") + " "
                        + host(stream, "destination") + " " + stream.get("digits") + " lost " + stream.get("lost"))
                .containsExactlyInAnyOrder(
                        "from caller 10.9.1.1 10.9.1.254 42 lost 0",
                        "from caller 10.9.2.254 10.9.2.1 42 lost 0",
                        "from callee 10.9.2.1 10.9.2.254  lost 0",
                        "from callee 10.9.1.254 10.9.1.1  lost 0");
        assertThat(streams)
                .filteredOn(stream -> host(stream, "source").equals("10.9.1.1"))
                .extracting(stream -> stream.get("packets"))
                .containsExactly((long) sentByAlice);
    }

    private static String host(Map<String, Object> stream, String field) {
        String endpoint = Json.text(stream, field);
        return endpoint.substring(0, endpoint.indexOf(':'));
    }

    private static List<String> keys(Map<String, Object> call) {
        return Json.objects(call.get("keys")).stream()
                .map(key -> key.get("key") + " of " + key.get("side") + " by " + key.get("means"))
                .toList();
    }

    /** Without notes: a slow machine sends audio unevenly, which they say. */
    private static List<String> problems(Map<String, Object> call) {
        return Json.objects(call.get("problems")).stream()
                .filter(problem -> !"note".equals(problem.get("class")))
                .map(problem -> problem.get("kind") + " " + problem.get("class"))
                .toList();
    }

    private static List<Map<String, Object>> documents(String command, Path capture) {
        Offhook.Result result = Offhook.run(command, "--format", "json", capture.toString());
        return Json.objects(Json.object(result.out()).get(command));
    }

    private static String methods(Path capture, String callId) {
        return Offhook.run("messages", capture.toString())
                .out()
                .lines()
                .filter(line -> line.endsWith(callId) && line.contains("10.9.1.254:5060 -> 10.9.1.1:5090"))
                .map(line -> line.replaceAll(".*UDP  (\\d+ \\w+) +\\d+ (\\w+) .*", "$1 $2"))
                .collect(Collectors.joining("\n"));
    }

    /** A phone that registers, and waits until that is done. */
    private static Baresip phone(
            ProxyNetwork proxy, Path folder, boolean isRight, String user, String options, int number)
            throws Exception {
        String registrar = isRight ? ProxyNetwork.RIGHT_PROXY : ProxyNetwork.LEFT_PROXY;
        String address = isRight ? "10.9.2.1" : "10.9.1.1";
        Baresip phone = new Baresip(
                proxy.network,
                isRight ? proxy.network.right() : proxy.network.left(),
                folder.resolve(user + number),
                new Baresip.Setup(
                        "<sip:%s@%s>;regint=3600%s".formatted(user, registrar, options),
                        address + ":" + (5060 + 10 * number),
                        20_000 + 100 * number,
                        4444 + number));
        phone.awaitRegistered();
        return phone;
    }
}
