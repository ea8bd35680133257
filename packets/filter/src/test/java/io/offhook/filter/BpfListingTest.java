package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BpfListingTest {
    /** tcpdump -d -y EN10MB 'udp port 5060', of libpcap 1.10.3. */
    private static final String UDP_PORT_5060 = """
            (000) ldh      [12]
            (001) jeq      #0x86dd          jt 2	jf 8
            (002) ldb      [20]
            (003) jeq      #0x11            jt 4	jf 19
            (004) ldh      [54]
            (005) jeq      #0x13c4          jt 18	jf 6
            (006) ldh      [56]
            (007) jeq      #0x13c4          jt 18	jf 19
            (008) jeq      #0x800           jt 9	jf 19
            (009) ldb      [23]
            (010) jeq      #0x11            jt 11	jf 19
            (011) ldh      [20]
            (012) jset     #0x1fff          jt 19	jf 13
            (013) ldxb     4*([14]&0xf)
            (014) ldh      [x + 14]
            (015) jeq      #0x13c4          jt 18	jf 16
            (016) ldh      [x + 16]
            (017) jeq      #0x13c4          jt 18	jf 19
            (018) ret      #262144
            (019) ret      #0
            """;

    private static final String DECIMAL = """
            20
            40 0 0 12
            21 0 6 34525
            48 0 0 20
            21 0 15 17
            40 0 0 54
            21 12 0 5060
            40 0 0 56
            21 10 11 5060
            21 0 10 2048
            48 0 0 23
            21 0 8 17
            40 0 0 20
            69 6 0 8191
            177 0 0 14
            72 0 0 14
            21 2 0 5060
            72 0 0 16
            21 0 1 5060
            6 0 0 262144
            6 0 0 0
            """;

    @Test
    void printsWhatTcpdumpPrints() {
        BpfProgram program = BpfListing.parse(DECIMAL);
        assertThat(BpfListing.assembly(program)).isEqualTo(UDP_PORT_5060);
        assertThat(BpfListing.decimal(program)).isEqualTo(DECIMAL);
        assertThat(BpfListing.initializers(program))
                .startsWith("{ 0x28, 0, 0, 0x0000000c },\n{ 0x15, 0, 6, 0x000086dd },\n")
                .endsWith("{ 0x6, 0, 0, 0x00040000 },\n{ 0x6, 0, 0, 0x00000000 },\n");
    }

    /** Each instruction alone, as bpf_image has it. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 0 0 4294967295  | ld       #0xffffffff
            1 0 0 7           | ldx      #0x7
            2 0 0 7           | st       M[7]
            3 0 0 7           | stx      M[7]
            4 0 0 4294967295  | add      #-1
            20 0 0 3          | sub      #3
            36 0 0 3          | mul      #3
            52 0 0 3          | div      #3
            148 0 0 3         | mod      #3
            68 0 0 31         | or       #0x1f
            84 0 0 31         | and      #0x1f
            164 0 0 31        | xor      #0x1f
            100 0 0 3         | lsh      #3
            116 0 0 3         | rsh      #3
            12 0 0 0          | add      x
            172 0 0 0         | xor      x
            7 0 0 0           | tax
            135 0 0 0         | txa
            132 0 0 0         | neg
            22 0 0 0          | ret
            6 0 0 4294967295  | ret      #-1
            5 0 0 0           | ja       1
            29 0 0 0          | jeq      x                jt 1	jf 1
            32 0 0 4294963200 | ld       [proto]
            48 0 0 4294963204 | ldb      [type]
            48 0 0 4294963248 | ldb      [vlanp]
            48 0 0 4294963265 | ldb      [-4031]
            64 0 0 4294967295 | ld       [x + -1]
            80 0 0 3          | ldb      [x + 3]
            96 0 0 3          | ld       M[3]
            97 0 0 3          | ldx      M[3]
            128 0 0 0         | ld       #pktlen
            177 0 0 14        | ldxb     4*([14]&0xf)
            """)
    void printsEachInstruction(String instruction, String text) {
        String first = BpfListing.assembly(BpfListing.parse("2 " + instruction + " 6 0 0 0"))
                .lines()
                .findFirst()
                .orElseThrow();
        assertThat(first).startsWith("(000) ");
        assertThat(first.substring(6).stripTrailing()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "udp port 5060",
                "tcp[tcpflags] & (tcp-syn|tcp-fin) != 0",
                "ip6 host 2001:db8::1 or vlan 10 and arp",
                "ether[6] * 3 - 2 = len / 4 % 7",
                "(-ether[0] << 2) > (ether[1] >> 1 ^ 5)",
                "ip protochain 17",
                "ip[ip[0] & 0xf * 4 + 3] | 0xf0 != 255",
                "portrange 5060-5090 and host 10.0.0.1",
                "ether host 00:11:22:33:44:55 and greater 100"
            })
    void printsWhatTcpdumpPrintsHere(String expression) throws Exception {
        String decimal = tcpdump("-ddd", expression);
        BpfProgram program = BpfListing.parse(decimal);
        assertThat(BpfListing.decimal(program)).isEqualTo(decimal);
        assertThat(BpfListing.initializers(program)).isEqualTo(tcpdump("-dd", expression));
        assertThat(BpfListing.assembly(program)).isEqualTo(tcpdump("-d", expression));
    }

    private static String tcpdump(String dump, String expression) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tcpdump", "-y", "EN10MB", dump, expression));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
            return said;
        } catch (IOException e) {
            assumeTrue(false, "no tcpdump here");
            throw e;
        }
    }
}
