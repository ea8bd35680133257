package io.offhook.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The benchmarks of flows do what they say: each packet is taken in, no stream has a hole. */
class FlowBenchmarkTest {

    @Test
    void takesInEachPacket() {
        FlowBenchmark inOrder = new FlowBenchmark();
        long once = inOrder.tcpInOrder();
        assertThat(once).isEqualTo(FlowBenchmark.FRAMES * 1460L);
        assertThat(inOrder.tcpInOrder()).isEqualTo(2 * once);
        inOrder.close();
        FlowBenchmark analysed = new FlowBenchmark();
        assertThat(analysed.tcpInOrderAnalysed()).isEqualTo(once);
        analysed.close();
    }

    @Test
    void putsSwappedSegmentsInOrder() {
        FlowBenchmark copied = new FlowBenchmark();
        long all = (FlowBenchmark.FRAMES + FlowBenchmark.CONNECTIONS) * 1460L;
        assertThat(copied.tcpSwappedCopied()).isEqualTo(all);
        copied.close();
        FlowBenchmark referenced = new FlowBenchmark();
        assertThat(referenced.tcpSwappedReferenced()).isEqualTo(all);
        referenced.close();
    }

    @Test
    void countsFlowsAndDatagrams() {
        FlowBenchmark flows = new FlowBenchmark();
        assertThat(flows.flowsOfTcp()).isEqualTo(FlowBenchmark.CONNECTIONS);
        assertThat(flows.walkOnly()).isPositive();
        flows.close();
        FlowBenchmark fragments = new FlowBenchmark();
        // the second fragment begins with the high byte of ports from 10,000 on
        long datagrams = FlowBenchmark.FRAMES / 4 * (20 + 4 * 1480L + (10_000 >> 8));
        assertThat(fragments.fragmentsCopied()).isEqualTo(datagrams);
        assertThat(fragments.fragmentsReferenced()).isEqualTo(datagrams);
        fragments.close();
    }
}
