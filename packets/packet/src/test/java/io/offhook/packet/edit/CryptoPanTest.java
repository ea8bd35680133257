package io.offhook.packet.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public class CryptoPanTest {
    private static final byte[] SAMPLE_KEY = {
        21,
        34,
        23,
        (byte) 141,
        51,
        (byte) 164,
        (byte) 207,
        (byte) 128,
        19,
        10,
        91,
        22,
        73,
        (byte) 144,
        125,
        16,
        (byte) 216,
        (byte) 152,
        (byte) 143,
        (byte) 131,
        121,
        121,
        101,
        39,
        98,
        87,
        76,
        45,
        42,
        (byte) 132,
        34,
        2
    };

    /** The key of the sample that its authors' program comes with. */
    public static byte[] sampleKey() {
        return SAMPLE_KEY.clone();
    }

    private final CryptoPan pan = new CryptoPan(SAMPLE_KEY);

    private static byte[] bytes(String address) {
        try {
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private static int ipv4(String address) {
        return ByteBuffer.wrap(bytes(address)).getInt();
    }

    /** sample_trace_raw.dat and sample_trace_sanitized.dat of the authors' program. */
    @ParameterizedTest
    @CsvSource({
        "128.11.68.132, 135.242.180.132",
        "129.118.74.4, 134.136.186.123",
        "130.132.252.244, 133.68.164.234",
        "141.223.7.43, 141.167.8.160",
        "141.233.145.108, 141.129.237.235",
        "152.163.225.39, 151.140.114.167",
        "156.29.3.236, 147.225.12.42",
        "165.247.96.84, 162.9.99.234",
        "166.107.77.190, 160.132.178.185",
        "192.102.249.13, 252.138.62.131",
        "192.215.32.125, 252.43.47.189",
        "192.233.80.103, 252.25.108.8",
        "192.41.57.43, 252.222.221.184",
        "193.150.244.223, 253.169.52.216",
        "195.205.63.100, 255.186.223.5",
        "198.200.171.101, 249.199.68.213",
        "198.26.132.101, 249.36.123.202",
        "198.36.213.5, 249.7.21.132",
        "198.51.77.238, 249.18.186.254",
        "199.217.79.101, 248.38.184.213",
        "24.0.250.221, 100.15.198.226",
        "24.94.26.44, 100.88.228.35",
        "38.15.67.68, 64.3.66.187",
        "4.3.88.225, 124.60.155.63",
        "63.14.55.111, 95.9.215.7",
        "64.39.15.238, 0.219.7.41",
        "10.185.25.118, 117.161.29.118"
    })
    void givesWhatTheAuthorsProgramGives(String address, String other) {
        assertThat(pan.ipv4(ipv4(address))).isEqualTo(ipv4(other));
        assertThat(pan.ipv4(ipv4(address))).isEqualTo(ipv4(other)); // what it has kept
    }

    /** As the implementations in Go and Rust have it. */
    @ParameterizedTest
    @CsvSource({
        "::1, 78ff:f001:9fc0:20df:8380:b1f1:704:ed",
        "::2, 78ff:f001:9fc0:20df:8380:b1f1:704:ef",
        "::ffff, 78ff:f001:9fc0:20df:8380:b1f1:704:f838",
        "2001:db8::1, 4401:2bc:603f:d91d:27f:ff8e:e6f1:dc1e",
        "2001:db8::2, 4401:2bc:603f:d91d:27f:ff8e:e6f1:dc1c"
    })
    void doesTheSameWithIpv6(String address, String other) {
        ByteBuffer from = ByteBuffer.wrap(bytes(address));
        ByteBuffer to = ByteBuffer.wrap(bytes(other));
        for (int round = 0; round < 2; round++) {
            pan.ipv6(from.getLong(0), from.getLong(8));
            assertThat(pan.high()).isEqualTo(to.getLong(0));
            assertThat(pan.low()).isEqualTo(to.getLong(8));
        }
    }

    @Test
    void keepsPrefixesAndOnlyThose() {
        Random random = new Random(4);
        for (int round = 0; round < 20_000; round++) {
            int one = random.nextInt();
            int bits = random.nextInt(32);
            int other = one ^ 1 << (31 - bits) ^ (bits == 31 ? 0 : random.nextInt() & -1 >>> (bits + 1));
            assertThat(Integer.numberOfLeadingZeros(pan.ipv4(one) ^ pan.ipv4(other)))
                    .isEqualTo(bits);
        }
    }

    @Test
    void keepsMakersAndGroupsOfMacAddresses() {
        Set<Long> others = new HashSet<>();
        for (long address = 0x0080_41ae_0000L; address < 0x0080_41ae_0000L + 3_000; address++) {
            long other = pan.mac(address);
            assertThat(other >>> 24).isEqualTo(0x008041);
            others.add(other);
        }
        assertThat(others).hasSize(3_000);
        assertThat(pan.mac(0xffff_ffff_ffffL)).isEqualTo(0xffff_ffff_ffffL);
        assertThat(pan.mac(0x0100_5e00_0001L)).isEqualTo(0x0100_5e00_0001L);
        assertThat(pan.mac(0)).isZero();
    }

    @Test
    void needsAWholeKey() {
        assertThatThrownBy(() -> new CryptoPan(new byte[16]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key of 16 bytes; 32 are needed");
    }
}
