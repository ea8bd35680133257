package io.offhook.proxy.statistics;

/**
 * A socket and its queues in the kernel.
 *
 * @param name which one: "udp 127.0.0.1:5070 lane 0"
 * @param receiveBufferAsked the octets that were asked for (SO_RCVBUF)
 * @param receiveBufferGiven the octets that the kernel gave, which it doubles and limits
 * @param receiveQueue the octets that wait to be read
 * @param sendQueue the octets that wait to be sent
 * @param drops the datagrams that the kernel dropped because the buffer was full
 */
public record SocketFigure(
        String name, long receiveBufferAsked, long receiveBufferGiven, long receiveQueue, long sendQueue, long drops) {}
