package io.offhook.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.IpAddress;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Trunks by their addresses. */
class TrunkTableTest {
    private static final TrunkTable TRUNKS = new TrunkTable(Queries.config("""
            trunks:
              wide: {sources: [192.0.2.0/24, "2001:db8::/32"]}
              narrow: {sources: [192.0.2.16/28], listeners: [inside]}
            """).trunks());

    private static String find(String address, String listener) {
        return TRUNKS.find(Objects.requireNonNull(IpAddress.parse(address)), listener);
    }

    @Test
    void theLongestBlockDecides() {
        assertThat(find("192.0.2.1", "outside")).isEqualTo("wide");
        assertThat(find("192.0.2.17", "inside")).isEqualTo("narrow");
        assertThat(find("2001:db8:5::1", "inside")).isEqualTo("wide");
        assertThat(find("192.0.3.1", "inside")).isEmpty();
    }

    @Test
    void isTrustedAtItsListenersOnly() {
        assertThat(find("192.0.2.17", "outside")).isEmpty();
    }

    @Test
    void knowsItsTrunks() {
        assertThat(TRUNKS.trunk("wide").sources()).hasSize(2);
        assertThat(TRUNKS.sources()).hasSize(3);
        assertThatThrownBy(() -> TRUNKS.trunk("none")).hasMessage("there is no trunk none");
    }
}
