package io.offhook.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.WrapStatus;
import io.offhook.sip.SipHop;
import io.offhook.sip.SipMessageView;
import io.offhook.sip.SipMethod;
import io.offhook.sip.SipTransport;
import io.offhook.sip.edit.OctetWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The transactions that wait at a destination, and what an error of the transport costs. */
class HopTableTest {
    private static final int PLACES = 3_000;

    private final List<@Nullable Object> failed = new ArrayList<>();
    private Runnable onFailure = () -> {};
    private boolean keepsFailed = true;
    private final OctetWriter request = new OctetWriter(1024).put("OPTIONS sip:a SIP/2.0\r\n\r\n");

    private final TransactionLayer layer = new TransactionLayer(
            0,
            new TransactionSettings(TransactionTimers.DEFAULT, TransactionLimits.DEFAULT, 7, TransactionObserver.NONE),
            (to, octets, offset, length) -> true,
            new User(),
            0);

    private final class User implements TransactionUser {
        @Override
        public void request(ServerTransaction transaction, SipMessageView view, long nowNs) {}

        @Override
        public void ack(SipMessageView ack, SipHop source, long nowNs) {}

        @Override
        public void cancel(
                ServerTransaction transaction, @Nullable ServerTransaction invite, SipMessageView view, long nowNs) {}

        @Override
        public void response(ClientTransaction transaction, SipMessageView response, long nowNs) {}

        @Override
        public void statelessResponse(SipMessageView response, SipHop source, long nowNs) {}

        @Override
        public void timedOut(ClientTransaction transaction, long nowNs) {}

        @Override
        public void failed(ClientTransaction transaction, long nowNs) {
            if (keepsFailed) {
                failed.add(transaction.owner());
            }
            onFailure.run();
        }

        @Override
        public void ended(ServerTransaction transaction) {}

        @Override
        public void ended(ClientTransaction transaction) {}

        @Override
        public void rejected(
                SipMessageView message, WrapStatus status, MessageFault fault, SipHop source, long nowNs) {}
    }

    private static SipHop hop(int place) {
        SipTransport transport = place % 3 == 0 ? SipTransport.TCP : SipTransport.UDP;
        return new SipHop().set(transport, 0, place % 2 == 0 ? 0 : 0x2001_0db8L << 32, place / 4, 5060 + place % 5);
    }

    private ClientTransaction send(SipHop to, Object owner) {
        ClientTransaction client = Objects.requireNonNull(layer.newClient(SipMethod.OPTIONS, to));
        client.owner(owner);
        client.send(request, 0);
        return client;
    }

    /** Compared with queues in a map. */
    @Test
    void findsTheOldestOfEachPlace() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Map<Integer, ArrayDeque<ClientTransaction>> expected = new HashMap<>();
        HopTable table = new HopTable(seed);
        for (int i = 0; i < 100_000; i++) {
            int place = random.nextInt(random.nextBoolean() ? 20 : PLACES);
            ArrayDeque<ClientTransaction> queue = expected.computeIfAbsent(place, _ -> new ArrayDeque<>());
            if (random.nextInt(100) < (i / 10_000 % 2 == 0 ? 70 : 30)) {
                ClientTransaction added = new ClientTransaction(layer, i);
                added.begin(SipMethod.OPTIONS, i, hop(place));
                table.add(added);
                queue.add(added);
            } else if (!queue.isEmpty()) {
                ClientTransaction removed = random.nextBoolean() ? queue.getFirst() : queue.getLast();
                queue.remove(removed);
                table.remove(removed);
                table.remove(removed);
            }
            assertThat(table.oldest(hop(place))).isSameAs(queue.peek());
            if (i % 1000 == 0) {
                table.trim();
            }
        }
        expected.forEach((place, queue) -> {
            while (!queue.isEmpty()) {
                assertThat(table.oldest(hop(place))).isSameAs(queue.peek());
                table.remove(queue.remove());
            }
            assertThat(table.oldest(hop(place))).isNull();
        });
        assertThat(table.count()).isZero();
    }

    @Test
    void failsThoseThatWaitThereAndNoOthers() {
        for (int i = 0; i < PLACES; i++) {
            send(hop(i), i);
        }
        send(hop(17), "second");
        layer.transportFailed(hop(17), 0);
        assertThat(failed).containsExactly(17, "second");
        layer.transportFailed(hop(17), 0);
        layer.transportFailed(hop(PLACES), 0);
        assertThat(failed).hasSize(2);
        assertThat(layer.clientCount()).isEqualTo(PLACES - 1);
        assertThat(layer.counters().transportFailures()).isEqualTo(2);
    }

    /** One that is sent to the same place because another failed there has its own time. */
    @Test
    void doesNotFailWhatIsSentMeanwhile() {
        send(hop(1), "first");
        send(hop(1), "second");
        onFailure = () -> send(hop(1), "again");
        layer.transportFailed(hop(1), 0);
        assertThat(failed).containsExactly("first", "second");
        assertThat(layer.clientCount()).isEqualTo(2);
    }

    /** Failing one may end others: those of the same request. */
    @Test
    void passesOverWhatEndedMeanwhile() {
        ClientTransaction first = send(hop(1), "first");
        ClientTransaction second = send(hop(1), "second");
        send(hop(1), "third");
        onFailure = () -> {
            first.abandon();
            second.abandon();
        };
        layer.transportFailed(hop(1), 0);
        assertThat(failed).containsExactly("first", "third");
        assertThat(layer.clientCount()).isZero();
    }

    @Test
    void leavesOutWhatHasAResponse() {
        OctetWriter branch = new OctetWriter(256);
        send(hop(1), "answered").writeBranch(0, branch);
        send(hop(1), "waiting");
        byte[] trying = ("SIP/2.0 100 Trying\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=" + branch
                        + "\r\nFrom: <sip:a>;tag=a\r\n"
                        + "To: <sip:b>\r\nCall-ID: c\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n")
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        layer.receive(trying, 0, trying.length, hop(1), 0);
        layer.transportFailed(hop(1), 0);
        assertThat(failed).containsExactly("waiting");
    }

    /** A flood of errors about places where nothing waits, and the traffic beside it. */
    @Test
    void allocatesNothing() {
        keepsFailed = false;
        for (int i = 0; i < 2000; i++) {
            send(hop(i), "waits");
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        SipHop dead = hop(PLACES);
        SipHop unknown = hop(PLACES + 1);
        long before = 0;
        for (int i = 0; i < 20_000; i++) {
            if (i == 15_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            ClientTransaction client = layer.newClient(SipMethod.OPTIONS, dead);
            if (client != null) {
                client.send(request, 0);
            }
            layer.transportFailed(unknown, 0);
            layer.transportFailed(dead, 0);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(5_000);
        assertThat(layer.clientCount()).isEqualTo(2000);
    }
}
