package io.offhook.monitor;

/**
 * A UDP or TCP socket of a process.
 *
 * @param isTcp whether it is of TCP: a connection, or one that waits for connections
 * @param local its address and port: {@code 192.0.2.1:5060}, {@code [::]:5060}
 * @param remote those that it is connected to; empty if it is not
 * @param inode of it; of UDP sockets that share an address and port, the lowest: the number of their queue together
 */
public record OwnSocket(boolean isTcp, String local, String remote, long inode) {}
