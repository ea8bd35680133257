package io.offhook.analysis;

import static io.offhook.analysis.CarriedConnections.SEVERAL_CALLS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CarriedConnectionsTest {
    private final CarriedConnections connections = new CarriedConnections();

    private List<Integer> calls() {
        List<Integer> found = new ArrayList<>();
        connections.ofCallsAlone((_, call) -> found.add(call));
        return found;
    }

    @Test
    void distinguishesOneCallFromSeveralAndFromOthers() {
        TracedConnection connection = new TracedConnection();
        connections.message(connection, List.of(7));
        connections.message(connection, List.of(7));
        assertThat(calls()).containsExactly(7);
        connections.message(connection, List.of(8));
        connections.message(connection, List.of(7));
        assertThat(calls()).containsExactly(SEVERAL_CALLS);
        connections.message(connection, List.of());
        assertThat(calls()).isEmpty();
        connections.message(new TracedConnection(), List.of(1, 2));
        assertThat(calls()).containsExactly(SEVERAL_CALLS);
        connections.message(new TracedConnection(), List.of());
        assertThat(calls()).containsExactly(SEVERAL_CALLS);
        assertThat(connections.hasCalls()).isTrue();
    }

    @Test
    void staysSmallWhenConnectionsAreGivenUp() {
        for (int i = 0; i < 100_000; i++) {
            TracedConnection connection = new TracedConnection();
            connections.message(connection, List.of(i % 10));
            connection.forget(false);
            connections.message(connection, List.of(i % 10));
        }
        assertThat(connections.count()).isLessThan(2000);
        assertThat(connections.hasCalls()).isTrue();
    }

    @Test
    void keepsConnectionsThatAreWhole() {
        for (int i = 0; i < 5000; i++) {
            connections.message(new TracedConnection(), List.of(i));
        }
        assertThat(calls()).hasSize(5000).doesNotHaveDuplicates();
    }
}
