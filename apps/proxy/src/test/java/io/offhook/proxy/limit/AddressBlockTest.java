package io.offhook.proxy.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.IpAddress;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Blocks of addresses. */
class AddressBlockTest {
    private static boolean contains(String block, String address) {
        return AddressBlock.parse(block).contains(Objects.requireNonNull(IpAddress.parse(address)));
    }

    @Test
    void containsWhatSharesItsBits() {
        assertThat(contains("127.0.0.0/8", "127.255.1.2")).isTrue();
        assertThat(contains("127.0.0.0/8", "128.0.0.1")).isFalse();
        assertThat(contains("0.0.0.0/0", "8.8.8.8")).isTrue();
        assertThat(contains("0.0.0.0/0", "2001:db8::1")).isFalse();
        assertThat(contains("2001:db8::/32", "2001:db8:ffff::1")).isTrue();
        assertThat(contains("2001:db8::/32", "2001:db9::1")).isFalse();
        assertThat(contains("2001:db8::/65", "2001:db8::8000:0:0:1")).isFalse();
        assertThat(contains("192.0.2.1", "192.0.2.1")).isTrue();
        assertThat(contains("192.0.2.1", "192.0.2.2")).isFalse();
        assertThat(contains("::/0", "192.0.2.1")).as("the mapped address").isTrue();
    }

    @Test
    void isWrittenAsItIsRead() {
        for (String text :
                new String[] {"127.0.0.0/8", "192.0.2.1/32", "0.0.0.0/0", "2001:db8::/32", "::/0", "::1/128"}) {
            assertThat(AddressBlock.parse(text)).hasToString(text);
        }
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> AddressBlock.parse("10.1.0.1/16"))
                .hasMessage("10.1.0.1/16 has host bits; the block is 10.1.0.0/16");
        assertThatThrownBy(() -> AddressBlock.parse("10.0.0.0/33")).hasMessageContaining("outside 0 to 32");
        assertThatThrownBy(() -> AddressBlock.parse("2001:db8::/129")).hasMessageContaining("outside 0 to 128");
        assertThatThrownBy(() -> AddressBlock.parse("localhost")).hasMessageContaining("is not an address or block");
        assertThatThrownBy(() -> AddressBlock.parse("10.0.0.0/")).hasMessageContaining("length");
    }
}
