package io.offhook.proxy.statistics;

import java.util.List;

/** Where the figures of sockets come from: whoever opened them. */
@FunctionalInterface
public interface SocketWatch {
    /** The sockets as they are now. Asked about once a second, by a thread that may wait. */
    List<SocketFigure> sockets();
}
