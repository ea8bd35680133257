package io.offhook.flow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.flow.FlowWire;
import io.offhook.packet.Endpoint;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Community IDs against the baseline of the specification (community-id-spec, baseline_default.json and seed 1). */
class CommunityIdTest {

    @ParameterizedTest
    @CsvSource({
        // protocol, source, destination, ports, seed, id
        "6,  128.232.110.120, 66.35.250.204, 34855, 80, 0, 1:LQU9qZlK+B5F3KDmev6m5PMibrg=",
        "6,  66.35.250.204, 128.232.110.120, 80, 34855, 0, 1:LQU9qZlK+B5F3KDmev6m5PMibrg=",
        "6,  128.232.110.120, 66.35.250.204, 34855, 80, 1, 1:3V71V58M3Ksw/yuFALMcW0LAHvc=",
        "17, 192.168.1.52, 8.8.8.8, 54585, 53, 0, 1:d/FP5EW3wiY1vCndhwleRRKHowQ=",
        "17, 8.8.8.8, 192.168.1.52, 53, 54585, 0, 1:d/FP5EW3wiY1vCndhwleRRKHowQ=",
        "132, 192.168.170.8, 192.168.170.56, 7, 80, 0, 1:jQgCxbku+pNGw8WPbEc/TS/uTpQ=",
        "132, 192.168.170.56, 192.168.170.8, 80, 7, 0, 1:jQgCxbku+pNGw8WPbEc/TS/uTpQ=",
    })
    void isThatOfTheBaseline(
            int protocol, String source, String destination, int sourcePort, int destinationPort, int seed, String id) {
        FlowKey key = key(protocol, source, destination, sourcePort, destinationPort, true, false);
        assertThat(CommunityId.of(key, seed)).isEqualTo(id);
        assertThat(CommunityId.of(key.reversed(), seed)).isEqualTo(id);
    }

    @ParameterizedTest
    @CsvSource({
        // an echo request and its reply have one id, types without an answer one each way
        "192.168.0.89, 192.168.0.1, 8, 0, 1:X0snYXpgwiv9TZtqg64sgzUn6Dk=",
        "192.168.0.1, 192.168.0.89, 0, 0, 1:X0snYXpgwiv9TZtqg64sgzUn6Dk=",
        "192.168.0.89, 192.168.0.1, 20, 0, 1:3o2RFccXzUgjl7zDpqmY7yJi8rI=",
        "fe80::200:86ff:fe05:80da, fe80::260:97ff:fe07:69ea, 135, 0, 1:dGHyGvjMfljg6Bppwm3bg0LO8TY=",
        "fe80::260:97ff:fe07:69ea, fe80::200:86ff:fe05:80da, 136, 0, 1:dGHyGvjMfljg6Bppwm3bg0LO8TY=",
    })
    void takesTypesOfIcmpForPorts(String source, String destination, int type, int code, String id) {
        FlowWire wire = new FlowWire();
        wire.icmp(endpoint(source, 0), endpoint(destination, 0), type, code);
        wire.table.flush();
        assertThat(wire.ended.getFirst().flow().key().communityId()).isEqualTo(id);
    }

    @Test
    void keepsOneWayMessagesApart() {
        FlowKey there = key(1, "192.168.0.89", "192.168.0.1", 20, 0, true, true);
        assertThat(there.communityId()).isEqualTo("1:3o2RFccXzUgjl7zDpqmY7yJi8rI=");
        assertThat(there.reversed().communityId()).isNotEqualTo(there.communityId());
    }

    @Test
    void leavesPortsOutWhereThereAreNone() {
        assertThat(key(46, "10.1.24.4", "10.1.12.1", 0, 0, false, false).communityId())
                .isEqualTo("1:/nQI4Rh/TtY3mf0R2gJFBkVlgS4=");
        // UDP-Lite has ports, but the specification knows none of it
        FlowKey lite = key(136, "10.1.24.4", "10.1.12.1", 5, 6, true, false);
        assertThat(lite.communityId())
                .isEqualTo(
                        key(136, "10.1.24.4", "10.1.12.1", 0, 0, false, false).communityId());
    }

    @Test
    void refusesASeedThatDoesNotFit() {
        FlowKey key = key(6, "10.0.0.1", "10.0.0.2", 1, 2, true, false);
        assertThatThrownBy(() -> CommunityId.of(key, 65_536))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("seed 65536 is not in 0 to 65535");
        assertThatThrownBy(() -> CommunityId.of(key, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static FlowKey key(
            int protocol,
            String source,
            String destination,
            int sourcePort,
            int destinationPort,
            boolean hasPorts,
            boolean isOneWay) {
        return new FlowKey(
                source.contains(":") ? 6 : 4,
                protocol,
                endpoint(source, sourcePort),
                endpoint(destination, destinationPort),
                hasPorts,
                isOneWay,
                FlowPath.NONE);
    }

    static Endpoint endpoint(String address, int port) {
        ByteBuffer bytes = ByteBuffer.wrap(InetAddress.ofLiteral(address).getAddress());
        return bytes.remaining() == 4
                ? Endpoint.ofIpv4(bytes.getInt(), port)
                : new Endpoint(bytes.getLong(), bytes.getLong(), port);
    }
}
