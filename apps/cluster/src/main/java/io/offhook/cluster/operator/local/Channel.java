package io.offhook.cluster.operator.local;

import java.util.ArrayDeque;

/** From one sender to one instance, in order. */
final class Channel {
    final Instance to;
    final ArrayDeque<Item> items = new ArrayDeque<>();
    long watermarkNs = Long.MIN_VALUE;
    boolean isReady;

    Channel(Instance to) {
        this.to = to;
    }
}
