package io.offhook.sip;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.IpAddress;
import io.offhook.sip.edit.OctetWriter;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses read and written as bytes, against those of {@link IpAddress}, which are read and written as text. */
class SipHostTest {
    private final SipHost host = new SipHost();
    private final OctetWriter out = new OctetWriter(64);

    private @Nullable IpAddress read(String text) {
        byte[] octets = ("<" + text + ">").getBytes(StandardCharsets.ISO_8859_1);
        return host.read(octets, 1, octets.length - 2) ? new IpAddress(host.high(), host.low()) : null;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.1",
                "0.0.0.0",
                "255.255.255.255",
                "::",
                "::1",
                "1::",
                "2001:db8::1",
                "2001:DB8:0:0:8:800:200C:417A",
                "1:2:3:4:5:6:7::",
                "::2:3:4:5:6:7:8",
                "::ffff:192.0.2.1",
                "64:ff9b::192.0.2.33",
                "1:2:3:4:5:6:192.0.2.1",
                "fe80::1:0:0:1"
            })
    void readsWhatIsAnAddress(String text) {
        IpAddress expected = IpAddress.parse(text);
        assertThat(expected).isNotNull();
        assertThat(read(text)).isEqualTo(expected);
        if (text.indexOf(':') >= 0) {
            assertThat(read("[" + text + "]")).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "a",
                "dead",
                "example.com",
                "192.0.2",
                "192.0.2.256",
                "192.0.2.1.",
                "[192.0.2.1]",
                "[]",
                "[",
                "[::1",
                "::1]",
                ":::",
                "1:",
                ":1",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "12345::",
                "::g",
                "::1%1",
                "1:2:3:4:5:6:7:192.0.2.1",
                "::192.0.2.1:1",
                "::192.0.2",
                "::\u00e9",
                "0000:0000:0000:0000:0000:0000:0000:0000:0000:00"
            })
    void readsNothingElse(String text) {
        assertThat(read(text)).isNull();
    }

    @Test
    void agreesWithTheTextOfAddresses() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 200_000; i++) {
            IpAddress address = new IpAddress(sparse(random), random.nextInt(8) == 0 ? 0xffffL << 32 : sparse(random));
            out.clear();
            out.putAddress(address.high(), address.low());
            assertThat(out).hasToString(address.toString());
            assertThat(read(address.toString())).isEqualTo(address);
            out.clear();
            out.putHost(address.high(), address.low());
            assertThat(out).hasToString(address.isIpv4() ? address.toString() : "[" + address + "]");
        }
    }

    /** Of four groups many are zero, and others have leading zeros. */
    private static long sparse(Random random) {
        long word = 0;
        for (int i = 0; i < 4; i++) {
            word = word << 16 | (random.nextBoolean() ? 0 : random.nextInt(0x10000) >>> random.nextInt(16));
        }
        return word;
    }

    @Test
    void agreesOnTextThatIsNearlyAnAddress() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String alphabet = "0123456789abcdefF::::::..g";
        for (int i = 0; i < 300_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = 2 + random.nextInt(random.nextBoolean() ? 8 : 40); length > 0; length--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            IpAddress expected = IpAddress.parse(text.toString());
            assertThat(read(text.toString())).as("%s", text).isEqualTo(expected);
        }
    }
}
