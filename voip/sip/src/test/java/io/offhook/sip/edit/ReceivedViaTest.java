package io.offhook.sip.edit;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipTransport;
import io.offhook.sip.SipViaView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a server adds to a Via. */
class ReceivedViaTest {
    private final ReceivedVia received = new ReceivedVia();
    private final SipViaView via = new SipViaView();
    private final OctetWriter out = new OctetWriter(1000);

    private String written(String value, String address, int port) {
        IpAddress ip = Objects.requireNonNull(IpAddress.parse(address));
        SipHop source = new SipHop().set(SipTransport.UDP, 0, ip.high(), ip.low(), port);
        byte[] octets = ("Via: " + value + "\r\n").getBytes(StandardCharsets.US_ASCII);
        via.wrap(octets, 5, value.length());
        out.clear();
        received.write(via, octets, source, out);
        assertThat(received.isNeeded(via, octets, source) || out.toString().equals(value))
                .isTrue();
        return out.toString();
    }

    @Test
    void leavesAViaThatSaysWhereItIs() {
        assertThat(written("SIP/2.0/UDP 192.0.2.1:5062;branch=1", "192.0.2.1", 9))
                .isEqualTo("SIP/2.0/UDP 192.0.2.1:5062;branch=1");
        assertThat(written("SIP/2.0/UDP [2001:DB8::1];branch=1", "2001:db8::1", 9))
                .isEqualTo("SIP/2.0/UDP [2001:DB8::1];branch=1");
    }

    @Test
    void writesIpv6WithoutBrackets() {
        assertThat(written("SIP/2.0/UDP host;rport", "2001:db8::1", 9))
                .isEqualTo("SIP/2.0/UDP host;rport=9;received=2001:db8::1");
    }

    /** Whatever stands there, afterwards both values are the source's, and all else is as it was. */
    @Test
    void replacesWhatIsThereInAnyOrder() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String[] rports = {";rport", ";rport=", ";RPORT=77", " ; rport = 77 ", ""};
        String[] receiveds = {";received=10.9.8.7", ";received", " ;Received= 10.9.8.7", ";received=", ""};
        for (int round = 0; round < 2000; round++) {
            String rport = rports[random.nextInt(rports.length)];
            List<String> parts = new ArrayList<>(List.of(
                    ";branch=z9hG4bK-1",
                    ";x=\"a;rport;received=1.1.1.1\"",
                    rport,
                    receiveds[random.nextInt(receiveds.length)]));
            Collections.shuffle(parts, random);
            String value = ("SIP/2.0/UDP 10.0.0.1:5070" + String.join("", parts)).trim();
            String result = written(value, "192.0.2.9", 4444);
            byte[] octets = result.getBytes(StandardCharsets.US_ASCII);
            via.wrap(octets, 0, octets.length);
            assertThat(via.parameter("received"))
                    .as("seed %d: %s", seed, result)
                    .isEqualTo("192.0.2.9");
            assertThat(via.parameter("rport")).as("seed %d: %s", seed, result).isEqualTo(rport.isEmpty() ? "" : "4444");
            assertThat(via.branch()).isEqualTo("z9hG4bK-1");
            assertThat(via.parameter("x")).isEqualTo("a;rport;received=1.1.1.1");
            assertThat(via.sentBy()).isEqualTo("10.0.0.1:5070");
            assertThat(count(result, "(?i)[; ]received")).as(result).isEqualTo(2);
            assertThat(count(result, "(?i)rport")).isEqualTo(rport.isEmpty() ? 1 : 2);
        }
    }

    private static int count(String text, String pattern) {
        return text.split(pattern, -1).length - 1;
    }
}
