package io.offhook.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {
    private static final long SEED = 8;

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 0, ffffc0000201",
        "0.0.0.0, 0, ffff00000000",
        "255.255.255.255, 0, ffffffffffff",
        "192.000.002.001, 0, ffffc0000201",
        "::, 0, 0",
        "::1, 0, 1",
        "1::, 1000000000000, 0",
        "2001:DB8::1, 20010db800000000, 1",
        "1:2:3:4:5:6:7:8, 1000200030004, 5000600070008",
        "1:2:3:4:5:6:7::, 1000200030004, 5000600070000",
        "::2:3:4:5:6:7:8, 200030004, 5000600070008",
        "1::8, 1000000000000, 8",
        "64:ff9b::192.0.2.33, 64ff9b00000000, c0000221",
        "1:2:3:4:5:6:192.0.2.33, 1000200030004, 50006c0000221",
        "::ffff:192.0.2.1, 0, ffffc0000201"
    })
    void readsAddresses(String text, String high, String low) {
        assertThat(IpAddress.parse(text))
                .isEqualTo(new IpAddress(Long.parseUnsignedLong(high, 16), Long.parseUnsignedLong(low, 16)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ".",
                "1.2.3",
                "1.2.3.4.5",
                "256.1.1.1",
                "1.2.3.4x",
                "1..2.3",
                "0001.2.3.4",
                "0x7f.0.0.1",
                "1.2.3.4 ",
                " 1.2.3.4",
                "-1.2.3.4",
                "127.1",
                "2130706433",
                "\u0661.2.3.4",
                "192.0.2.1/24",
                "192.0.2.1:5060",
                ":",
                ":::",
                "1:2",
                "1::2::3",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "12345::",
                "g::",
                "::1.2.3",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:",
                ":1",
                "::1:",
                "::1.2.3.4:5",
                "1.2.3.4::",
                "[::1]",
                "fe80::1%eth0",
                "::/0",
                "host",
                "example.org",
                "\uff11::"
            })
    void readsNoAddressFromOtherText(String text) {
        assertThat(IpAddress.parse(text)).isNull();
    }

    @Test
    void readsWhatTheJdkWritesAndWhatEndpointsWrite() throws UnknownHostException {
        Random random = new Random(SEED);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = new byte[random.nextInt(4) == 0 ? 4 : 16];
            random.nextBytes(bytes);
            for (int i = 0; i < bytes.length; i += 2) {
                if (random.nextInt(3) > 0) {
                    bytes[i] = 0;
                    bytes[i + 1] = 0;
                }
            }
            InetAddress address = InetAddress.getByAddress(bytes);
            byte[] known = address.getAddress(); // four bytes where it was IPv4-mapped
            ByteBuffer buffer = ByteBuffer.wrap(known);
            IpAddress expected = known.length == 4
                    ? IpAddress.ofIpv4(buffer.getInt())
                    : new IpAddress(buffer.getLong(), buffer.getLong());
            assertThat(IpAddress.parse(address.getHostAddress()))
                    .as("seed %d, round %d: %s", SEED, round, address)
                    .isEqualTo(expected);
            assertThat(IpAddress.parse(expected.toString())).isEqualTo(expected);
        }
    }

    @Test
    void endsOnAnyText() {
        Random random = new Random(SEED);
        String letters = "0123456789abcdefABCDEF::::...g%[] \u00e9";
        int read = 0;
        for (int round = 0; round < 200_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(20); i > 0; i--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            IpAddress address = IpAddress.parse(text.toString());
            if (address != null) {
                assertThat(IpAddress.parse(address.toString())).isEqualTo(address);
                read++;
            }
        }
        assertThat(read).isPositive();
    }

    @Test
    void knowsAddressesOfThisHostAlone() {
        for (String loopback : new String[] {"127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"}) {
            assertThat(IpAddress.parse(loopback)).as(loopback).matches(IpAddress::isLoopback);
        }
        for (String other : new String[] {"128.0.0.1", "126.255.255.255", "::", "0.0.0.0", "::2", "2001:db8::1"}) {
            assertThat(IpAddress.parse(other)).as(other).matches(address -> !address.isLoopback());
        }
    }
}
