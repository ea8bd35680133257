package io.offhook.live.libpcap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LibpcapCountersTest {
    @Test
    void growsOverTheEndOf32Bits() {
        assertThat(LibpcapDriver.grown(10, 17)).isEqualTo(7);
        assertThat(LibpcapDriver.grown(-3, 4)).isEqualTo(7);
        assertThat(LibpcapDriver.grown(Integer.MAX_VALUE, Integer.MIN_VALUE)).isEqualTo(1);
    }

    /** libpcap takes the drops of an interface from its driver, which counts anew where it is loaded again, or has gone. */
    @Test
    void aCounterThatBeginsAnewIsNoFourBillionDrops() {
        assertThat(LibpcapDriver.grown(5_000, 0)).isZero();
    }
}
