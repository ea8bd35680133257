package io.offhook.research.forwarding;

import io.offhook.dpdk.Eal;
import io.offhook.dpdk.EalOptions;
import io.offhook.dpdk.EthPort;
import io.offhook.dpdk.EthPortOptions;
import io.offhook.dpdk.MbufArray;
import io.offhook.dpdk.MbufTemplate;
import io.offhook.dpdk.MbufView;
import io.offhook.dpdk.Mempool;
import io.offhook.dpdk.RxQueue;
import io.offhook.dpdk.TxQueue;
import io.offhook.research.Rounds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Forwarding in Java, by what the dpdk module exports: two ports, one thread, bursts of 32. */
abstract class JavaForwarding implements Rounds.Work {
    static final int BURST = 32;
    static final int FRAME_BYTES = 60;
    static final int HOPS = 256;

    static final MemorySegment MEMORY = MbufView.memory();
    static final VarHandle U8 = ValueLayout.JAVA_BYTE.varHandle();
    static final VarHandle U16 =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    static final VarHandle U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    /** In the machine's order, little-endian: for bytes that are only moved. */
    static final VarHandle HALF =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    static final VarHandle WORD =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    final MbufArray burst = new MbufArray(BURST);
    final EthPort[] ports = new EthPort[2];
    final Mempool pool;
    long lost;

    JavaForwarding(ForwardingKind kind, int processor) {
        String[] devices = kind == ForwardingKind.L2_NULL
                ? new String[] {"net_null0,size=60,copy=0", "net_null1,size=60,copy=0"}
                : new String[] {"net_ring0", "net_ring1"};
        Eal eal = Eal.start(EalOptions.virtual()
                .withLcores("0@" + processor)
                .withDevices(devices)
                .withLog("error", false));
        eal.registerThread(processor);
        pool = eal.mempool("bench", 8191, 256, 2048);
        for (int i = 0; i < 2; i++) {
            ports[i] = eal.port(i);
            ports[i].start(EthPortOptions.ofQueues(1, 1), pool);
        }
    }

    /** Forwards received packets; @return their number */
    abstract int forward(RxQueue from, TxQueue to);

    @Override
    public final long round(int number) {
        return forward(ForwardingTechniques.PACKETS);
    }

    private long forward(long packets) {
        RxQueue rx0 = ports[0].rxQueue(0);
        RxQueue rx1 = ports[1].rxQueue(0);
        TxQueue tx0 = ports[0].txQueue(0);
        TxQueue tx1 = ports[1].txQueue(0);
        long done = 0;
        while (done < packets) {
            done += forward(rx0, tx1);
            done += forward(rx1, tx0);
        }
        return done;
    }

    /** Sends the burst, and counts packets that are not accepted. */
    final void send(TxQueue to) {
        to.send(burst);
        if (!burst.isEmpty()) {
            lost += burst.count();
            burst.free();
        }
    }

    /** Sends a newly created packet into the first ring. */
    final void begin(MbufTemplate template) {
        burst.add(pool.copy(template));
        if (ports[0].txQueue(0).send(burst) != 1) {
            throw new IllegalStateException("the ring has no room");
        }
    }

    @Override
    public long digest() {
        long hash = lost;
        MbufView view = new MbufView();
        for (EthPort port : ports) {
            while (port.rxQueue(0).receive(burst) > 0) {
                for (int i = 0; i < burst.count(); i++) {
                    long frame = view.wrap(burst.get(i)).dataAddress();
                    for (int at = 0; at < FRAME_BYTES; at++) {
                        hash = 31 * hash + ((byte) U8.get(MEMORY, frame + at) & 0xff);
                    }
                }
                burst.free();
            }
        }
        return hash;
    }
}
