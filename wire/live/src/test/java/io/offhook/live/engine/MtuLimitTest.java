package io.offhook.live.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MtuLimitTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1500, 65_536, MtuLimit.MOST_BYTES})
    void takesWhatRingsCanBeSizedFor(int mtu) {
        assertThat(MtuLimit.check("eth0", mtu)).isEqualTo(mtu);
    }

    @Test
    void namesTheInterfaceTheLimitAndWhatToDo() {
        assertThatThrownBy(() -> MtuLimit.check("lo", Integer.MAX_VALUE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("interface lo has an MTU of 2147483647; the limit is 268435456:"
                        + " sudo ip link set lo mtu 65536");
    }
}
