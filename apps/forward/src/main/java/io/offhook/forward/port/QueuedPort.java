package io.offhook.forward.port;

import io.offhook.forward.Port;
import io.offhook.forward.ReceiveQueue;
import io.offhook.forward.SendQueue;
import io.offhook.linux.network.LinkState;
import io.offhook.linux.network.LinkWatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the ports of network interfaces: a name, queues that {@code open} creates, and the link of the kernel's
 * interface.
 *
 * @param <R> its receive queues
 * @param <S> its send queues
 */
abstract sealed class QueuedPort<R extends ReceiveQueue, S extends SendQueue> implements Port
        permits DpdkPort, PacketSocketPort, XdpPort {
    final List<R> receiving = new ArrayList<>();
    final List<S> sending = new ArrayList<>();
    /** Null before the port is open, and for a device that is not an interface of the kernel. */
    @Nullable
    LinkWatch watch;

    private final String name;

    QueuedPort(String name) {
        this.name = name;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public LinkState state() {
        return watch == null ? LinkState.UP : watch.state();
    }

    @Override
    public final ReceiveQueue receiveQueue(int i) {
        return receiving.get(i);
    }

    @Override
    public final SendQueue sendQueue(int i) {
        return sending.get(i);
    }

    final void closeWatch() {
        if (watch != null) {
            watch.close();
        }
    }
}
