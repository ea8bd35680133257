package io.offhook.packet.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.WrapStatus;
import io.offhook.packet.walk.GoldenFrame;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class LldpViewTest {
    @Test
    void keepsItsPduWhenTheNextOneIsMalformed() {
        LldpView lldp = new LldpView();
        MemorySegment whole = GoldenFrame.segment("0202 07aa 0402 07bb 0602 0078");
        assertThat(lldp.wrap(whole, 0, 12)).isEqualTo(WrapStatus.OK);
        MemorySegment malformed = GoldenFrame.segment("0204 07ccccdd 0403 05eeff 0e02 0000"); // no time to live
        assertThat(lldp.wrap(malformed, 0, 15)).isEqualTo(WrapStatus.MALFORMED);
        assertThat(lldp.chassisIdLength()).isEqualTo(1);
        assertThat(lldp.portIdSubtype()).isEqualTo(7);
        assertThat(lldp.portIdOffset()).isEqualTo(7);
        assertThat(lldp.portIdLength()).isEqualTo(1);
        assertThat(lldp.ttl()).isEqualTo(120);
    }
}
