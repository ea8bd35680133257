package io.offhook.proxy.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.packet.Endpoint;
import io.offhook.sip.SipMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NeighbourTableTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private static int row(NeighbourTable table, int neighbour, long nowNs) {
        Endpoint endpoint = Endpoint.ofIpv4(0x0a000000 + neighbour, 5060);
        return table.row(endpoint.high(), endpoint.low(), endpoint.port(), nowNs);
    }

    @Test
    void countsEachNeighbourApartWhateverTheOrder() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        NeighbourTable table = new NeighbourTable(256);
        Map<Integer, Integer> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int neighbour = random.nextInt(256);
            table.count(row(table, neighbour, i), MessageWay.RECEIVED, SipMethod.INVITE, 0);
            expected.merge(neighbour, 1, Integer::sum);
        }
        Map<Endpoint, Long> counted = new HashMap<>();
        for (NeighbourTable.Row row : table.rows()) {
            for (MessageCount count : row.messages().counts()) {
                counted.put(row.neighbour(), count.received());
            }
        }
        assertThat(counted).as("seed " + seed).hasSize(expected.size());
        expected.forEach((neighbour, count) -> assertThat(counted)
                .as("seed " + seed)
                .containsEntry(Endpoint.ofIpv4(0x0a000000 + neighbour, 5060), count.longValue()));
    }

    @Test
    void tellsPortsAndFamiliesApart() {
        NeighbourTable table = new NeighbourTable(16);
        Endpoint one = Endpoint.of("192.0.2.1", 5060);
        Endpoint otherPort = Endpoint.of("192.0.2.1", 5061);
        Endpoint six = Endpoint.of("2001:db8::1", 5060);
        assertThat(List.of(one, otherPort, six, one).stream()
                        .map(each -> table.row(each.high(), each.low(), each.port(), 0))
                        .toList())
                .containsExactly(1, 2, 3, 1);
    }

    @Test
    void countsInACommonRowWhenItIsFull() {
        NeighbourTable table = new NeighbourTable(16);
        for (int i = 0; i < 16; i++) {
            assertThat(row(table, i, 0)).isEqualTo(i + 1);
        }
        assertThat(row(table, 99, SECOND_NS)).isEqualTo(NeighbourTable.OTHERS);
        table.count(NeighbourTable.OTHERS, MessageWay.SENT, SipMethod.BYE, 200);
        assertThat(table.rows().getFirst().messages().counts())
                .containsExactly(new MessageCount(SipMethod.BYE, 200, 0, 0, 1, 0));
        assertThat(row(table, 3, SECOND_NS)).isEqualTo(4);
    }

    @Test
    void oneThatWasSilentForTenMinutesMakesRoom() {
        NeighbourTable table = new NeighbourTable(16);
        for (int i = 0; i < 16; i++) {
            table.count(row(table, i, 0), MessageWay.RECEIVED, SipMethod.INVITE, 0);
        }
        long laterNs = 601 * SECOND_NS;
        for (int i = 1; i < 16; i++) {
            row(table, i, laterNs - SECOND_NS);
        }
        int row = row(table, 99, laterNs);
        assertThat(row).isEqualTo(1);
        assertThat(table.evicted()).isEqualTo(1);
        assertThat(table.rows().get(1).messages().counts()).isEmpty();
        assertThat(row(table, 99, laterNs)).isEqualTo(1);
        for (int i = 1; i < 16; i++) {
            assertThat(row(table, i, laterNs)).isEqualTo(i + 1);
        }
        assertThat(row(table, 0, laterNs)).as("nobody else was silent").isEqualTo(NeighbourTable.OTHERS);
    }

    @Test
    void aFloodOfNewOnesMakesRoomOnlyNowAndThen() {
        NeighbourTable table = new NeighbourTable(64);
        for (int i = 0; i < 64; i++) {
            row(table, i, 0);
        }
        long nowNs = 700 * SECOND_NS;
        for (int i = 0; i < 10_000; i++) {
            row(table, 1000 + i, nowNs + i * 1000L); // within 10 ms
        }
        assertThat(table.evicted()).isEqualTo(1);
    }

    @Test
    void remembersManyKindsAndCountsTheRestTogether() {
        MessageTable table = new MessageTable();
        for (int round = 0; round < 2; round++) {
            for (int status = 100; status < 600; status++) {
                table.add(MessageWay.SENT_AGAIN, SipMethod.INVITE, status);
            }
        }
        List<MessageCount> counts = table.counts();
        assertThat(counts.size()).isEqualTo(MessageTable.MOST_KINDS + 1);
        assertThat(counts.getFirst()).isEqualTo(new MessageCount(SipMethod.INVITE, 100, 0, 0, 0, 2));
        assertThat(counts.getLast())
                .isEqualTo(new MessageCount(SipMethod.OTHER, 0, 0, 0, 0, 2 * (500 - MessageTable.MOST_KINDS)));
    }

    @Test
    void aStatusThatIsNoneCountsAs699() {
        MessageTable table = new MessageTable();
        for (int status : new int[] {-1, 99, 700, 100_000}) {
            table.add(MessageWay.RECEIVED, SipMethod.BYE, status);
        }
        assertThat(table.counts()).containsExactly(new MessageCount(SipMethod.BYE, 699, 4, 0, 0, 0));
    }

    @Test
    void refusesACapacityOutOfRange() {
        assertThatThrownBy(() -> new NeighbourTable(15)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NeighbourTable(65_537)).isInstanceOf(IllegalArgumentException.class);
    }
}
