package io.offhook.cluster.operator.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.calls.binding.BestCall.End;
import io.offhook.calls.binding.NamedCall;
import io.offhook.calls.binding.Naming;
import io.offhook.cluster.event.StreamId;
import io.offhook.cluster.message.Candidates;
import io.offhook.cluster.message.Namings;
import io.offhook.cluster.message.OperatorMessage;
import io.offhook.cluster.message.StreamName;
import io.offhook.cluster.message.StreamSpan;
import io.offhook.cluster.operator.CallResult;
import io.offhook.cluster.operator.EndpointOperator;
import io.offhook.cluster.operator.OperatorCount;
import io.offhook.cluster.operator.OperatorKey;
import io.offhook.cluster.operator.Output;
import io.offhook.cluster.operator.Stage;
import io.offhook.packet.Endpoint;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One endpoint with more calls or streams than it keeps, as a conference server may have. */
class EndpointLimitsTest implements Output {
    private static final Endpoint HERE = Endpoint.of("192.0.2.1", 40_000);
    private static final OperatorKey KEY = OperatorKey.of(HERE);
    private static final int LIMIT = 512;

    private final Map<OperatorCount, Long> counts = new EnumMap<>(OperatorCount.class);
    private final List<OperatorMessage> sent = new ArrayList<>();
    private final List<Long> timers = new ArrayList<>();
    private final EndpointOperator operator = new EndpointOperator();
    private long octets;
    private final MemoryKeep keep = new MemoryKeep(timers::add, () -> 0, by -> octets += by);

    @Override
    public void send(Stage stage, OperatorKey key, OperatorMessage message) {
        sent.add(message);
    }

    @Override
    public void report(CallResult result) {
        throw new IllegalStateException("an endpoint makes no reports");
    }

    @Override
    public void count(OperatorCount what, long number) {
        counts.merge(what, number, Long::sum);
    }

    private static Namings namings(int call) {
        NamedCall named = new NamedCall(call, call, call, NamedCall.NEVER, NamedCall.NEVER, NamedCall.NEVER);
        return new Namings(HERE, call, List.of(new Naming(named, true, HERE, null, call, call)));
    }

    private static StreamSpan span(int stream, long forgottenNs) {
        StreamName name = new StreamName("probe", 7, new StreamId(stream, 0));
        return new StreamSpan(name, HERE, End.DESTINATION, 1000, Long.MAX_VALUE, forgottenNs);
    }

    @Test
    void callsBeyondTheLimitAreCounted() {
        for (int call = 1; call <= LIMIT + 5; call++) {
            operator.accept(KEY, namings(call), keep, this);
        }
        assertThat(counts).containsOnly(Map.entry(OperatorCount.DROPPED_NAMINGS, 5L));
        operator.accept(KEY, span(1, Long.MAX_VALUE), keep, this);
        assertThat(sent.getLast())
                .isInstanceOfSatisfying(
                        Candidates.class,
                        candidates -> assertThat(candidates.candidates()).hasSize(LIMIT));
        sent.clear();
        operator.accept(KEY, span(1, Long.MAX_VALUE), keep, this);
        operator.accept(KEY, namings(7), keep, this);
        assertThat(sent).as("what was sent before").isEmpty();
    }

    @Test
    void streamsBeyondTheLimitAreCountedAndWhatIsForgottenLeavesNothing() {
        operator.accept(KEY, namings(1), keep, this);
        for (int stream = 1; stream <= LIMIT + 3; stream++) {
            operator.accept(KEY, span(stream, Long.MAX_VALUE), keep, this);
        }
        assertThat(counts).containsOnly(Map.entry(OperatorCount.DROPPED_STREAMS, 3L));
        for (int stream = 1; stream <= LIMIT; stream++) {
            operator.accept(KEY, span(stream, 2000), keep, this);
        }
        assertThat(octets).as("until time has reached it").isGreaterThan(LIMIT);
        operator.timer(KEY, 2000, keep, this);
        operator.accept(KEY, new Namings(HERE, 1, List.of(), 3000), keep, this);
        assertThat(timers).containsExactly(2000L, 3000L);
        operator.timer(KEY, 3000, keep, this);
        assertThat(octets).isZero();
        assertThat(keep.isEmpty()).isTrue();
    }
}
