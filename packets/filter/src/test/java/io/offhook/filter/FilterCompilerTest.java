package io.offhook.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.offhook.packet.LinkType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterCompilerTest {
    private static FilterException fault(String expression) {
        return catchThrowableOfType(
                FilterException.class, () -> FilterCompiler.compile(expression, LinkType.ETHERNET, 100));
    }

    private static BpfProgram compile(String expression) {
        return FilterCompiler.compile(expression, LinkType.ETHERNET, 262_144);
    }

    @Test
    void compilesToTheInstructionsThatTcpdumpPrints() {
        assertThat(BpfListing.assembly(compile("tcp dst port http and ip"))).isEqualTo("""
            (000) ldh      [12]
            (001) jeq      #0x86dd          jt 11\tjf 2
            (002) jeq      #0x800           jt 3\tjf 11
            (003) ldb      [23]
            (004) jeq      #0x6             jt 5\tjf 11
            (005) ldh      [20]
            (006) jset     #0x1fff          jt 11\tjf 7
            (007) ldxb     4*([14]&0xf)
            (008) ldh      [x + 16]
            (009) jeq      #0x50            jt 10\tjf 11
            (010) ret      #262144
            (011) ret      #0
            """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        tcp and vlan 5000        | 8  | VLAN tag 5000 greater than maximum 4095
        foo                      | 0  | can't parse filter expression: syntax error
        host                     | 4  | can't parse filter expression: syntax error
        (ip                      | 3  | can't parse filter expression: syntax error
        ip)                      | 2  | can't parse filter expression: syntax error
        ip and and tcp           | 7  | can't parse filter expression: syntax error
        ip or @                  | 6  | can't parse filter expression: syntax error
        port 80 or port 99999    | 16 | illegal port number 99999 > 65535
        ip and ether host 1:2:3  | 18 | bogus ethernet address 1:2:
        1 + 08 = 2               | 4  | number 08 contains non-octal digit
        len = 5 and tcp[0:3] = 1 | 12 | data size must be 1, 2, or 4
        ip and 5 / 0 = 1         | 9  | division by zero
        net 10.0.0.1/8           | 4  | non-network bits set in \\"10.0.0.1/8\\"
        ip broadcast             | 0  | netmask not known, so 'ip broadcast' not supported
        port 80 and (tcp or 81)  | 20 | syntax error in filter expression
        """)
    void marksThePlaceOfAFault(String expression, int offset, String reason) {
        FilterException fault = fault(expression);
        assertThat(fault.reason()).startsWith(reason.replace("\\\"", "\""));
        assertThat(fault.offset()).isEqualTo(offset);
        assertThat(fault.getMessage()).endsWith("\n  " + expression + "\n  " + " ".repeat(offset) + "^");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        tcp prot 80 | did you mean port?
        udp adn port 5060 | did you mean and?
        TCP | did you mean tcp?
        tcp[13] & tcp-sny != 0 | did you mean tcp-syn?
        sip | did you mean port sip?
        udp and sip | did you mean port sip?
        ip.addr == 10.0.0.1 | ip.addr is of Wireshark's display filters, which are another language
        udp or udp.port==5060 | udp.port is of Wireshark's display filters, which are another language
        ip proto tcp | did you mean \\tcp?
        ip and | it ends too early
        """)
    void remarksWhatWasProbablyMeant(String expression, String remark) {
        assertThat(fault(expression).reason()).contains("syntax error").endsWith(" (" + remark + ")");
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "xyzzy and ip", "ip tcp", "ip ) and", "1 = 1 = 1", "ip and @"})
    void remarksNothingWhereItDoesNotKnow(String expression) {
        assertThat(fault(expression).reason()).endsWith("syntax error");
    }

    @Test
    void showsOfALongExpressionWhatIsAroundTheMark() {
        FilterException fault = fault("ip or ".repeat(10_000) + "@" + " or ip".repeat(10_000));
        assertThat(fault.offset()).isEqualTo(60_000);
        String[] lines = String.valueOf(fault.getMessage()).split("\n", -1);
        assertThat(lines).hasSize(3);
        assertThat(lines[1]).startsWith("  ...").endsWith("...").hasSizeLessThan(140);
        assertThat(lines[1].charAt(lines[2].indexOf('^'))).isEqualTo('@');
    }

    @Test
    void saysThatNamesAreNotLookedUp() {
        assertThat(fault("host example.com").reason())
                .isEqualTo("unknown host 'example.com' (names of hosts are not looked up)");
        assertThat(fault("net example").reason())
                .isEqualTo("unknown network 'example' (names of networks are not looked up)");
        assertThat(fault("ether host printer").reason()).startsWith("unknown ether host 'printer'");
        assertThat(fault("gateway printer").reason()).isEqualTo("'gateway' not supported in this configuration");
    }

    @Test
    void tellsAnExpressionThatNothingCanMatch() {
        assertThat(fault("ip and arp").isRejectsAll()).isTrue();
        assertThat(fault("ip and arp").getMessage()).isEqualTo("expression rejects all packets");
        assertThat(fault("port 99999").isRejectsAll()).isFalse();
        assertThat(FilterCompiler.compileUnoptimized("ip and arp", 1, 100).length())
                .isGreaterThan(2);
    }

    @Test
    void matchesEverythingWithAnEmptyExpression() {
        assertThat(BpfListing.assembly(compile(""))).isEqualTo("(000) ret      #262144\n");
        assertThat(compile(" \t\n")).isEqualTo(compile(""));
    }

    @Test
    void returnsTheSnapLengthForAMatch() {
        BpfProgram program = FilterCompiler.compile("ip", LinkType.ETHERNET, 64);
        assertThat(program.k(program.length() - 2)).isEqualTo(64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FilterCompiler.compile("ip", LinkType.ETHERNET, 0))
                .withMessageContainingAll("snapLength", "0", "1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '=', textBlock = """
        tcp port 80 or 443            = tcp port 80 or tcp port 443
        not host 10.0.0.1 and 10.0.0.2 = not host 10.0.0.1 and host 10.0.0.2
        port (80 or 443)              = port 80 or port 443
        src port 80 and not 81        = src port 80 and not src port 81
        host 10.0.0.1 and (port 80 or 81) and 10.0.0.2 = host 10.0.0.1 and (port 80 or port 81) and host 10.0.0.2
        ip || arp && len > 60         = (ip or arp) and len > 60
        udp port domain               = udp port 53
        ether proto \\arp              = arp
        net 192.168                   = net 192.168.0.0/16
        net 10.0.0.0 mask 255.0.0.0   = net 10.0.0.0/8
        wlan[0] > 5                   = link[0] > 5
        """)
    void readsShortFormsAsTheLongOnes(String shortForm, String longForm) {
        assertThat(compile(shortForm)).isEqualTo(compile(longForm));
    }

    @Test
    void ranksOperatorsAsLibpcapDoes() {
        assertThat(compile("ip[0] = 1 + 2 * 3 << 1 & 0xf | 0x10")).isEqualTo(compile("ip[0] = 30"));
        assertThat(compile("ip[0] = 2 * 7 % 4")).isEqualTo(compile("ip[0] = 6")); // % takes what follows, before *
        assertThat(compile("ip[0] = 7 % 2 + 3")).isEqualTo(compile("ip[0] = 2"));
        assertThat(compile("ip[0] = 10 - 3 - 2")).isEqualTo(compile("ip[0] = 5"));
        assertThat(compile("ip[0:4] = -1")).isEqualTo(compile("ip[0:4] = 0xffffffff"));
        assertThat(compile("ip[0] = 6 ^ 3")).isEqualTo(compile("ip[0] = 5"));
    }

    @Test
    void readsLoopbackInTheOrderOfTheFile() {
        String little = BpfListing.assembly(FilterCompiler.compile("ip", LinkType.NULL, 100, false));
        String big = BpfListing.assembly(FilterCompiler.compile("ip", LinkType.NULL, 100, true));
        assertThat(little).contains("jeq      #0x2000000 ");
        assertThat(big).contains("jeq      #0x2 ");
        assertThat(FilterCompiler.compile("ip", LinkType.LOOP, 100, true))
                .isEqualTo(FilterCompiler.compile("ip", LinkType.LOOP, 100, false));
    }

    @Test
    void loopsForProtochainAlone() {
        assertThat(compile("ip6 protochain 6").hasLoop()).isTrue();
        assertThat(compile("ip6 proto 6").hasLoop()).isFalse();
    }

    @Test
    void limitsWhatItTakes() {
        assertThat(fault("ip or ".repeat(200_000) + "ip").reason()).contains("the limit is 1048576");
        assertThat(fault("(".repeat(5_000) + "ip" + ")".repeat(5_000)).reason()).contains("nested more than 500");
        assertThat(fault("not ".repeat(5_000) + "ip").reason()).contains("nested more than 500");
        assertThat(fault("1 = " + "(".repeat(5_000) + "1").reason()).isNotEmpty();
        assertThat(fault("1 = " + "-".repeat(5_000) + "1").reason()).isNotEmpty();
        assertThat(fault("1 = " + "1 % ".repeat(5_000) + "1").reason()).contains("nested more than 500");
        assertThat(compile("len = 1" + " + 1".repeat(10_000)).length()).isEqualTo(4);
        assertThat(compile("len = 1" + " + 1".repeat(50_000)).length()).isEqualTo(4);
        assertThat(compile("ip" + " or arp".repeat(1_000)).length()).isEqualTo(5);
        assertThat(compile("port 1" + " or 2".repeat(5_000)).length()).isGreaterThan(300_000);
        assertThat(fault("l1" + " or l1".repeat(30_000)).reason()).endsWith("instructions; the limit is 1048576");
        assertThat(fault("1 + (2 + (3 + (4 + (5 + (6 + (7 + (8 + (9 + (10 + (11 + (12 + (13 + (14 + (15 + (16 + (17"
                                + " + 1)))))))))))))))) = 1")
                        .reason())
                .isEqualTo("too many registers needed to evaluate expression");
    }
}
