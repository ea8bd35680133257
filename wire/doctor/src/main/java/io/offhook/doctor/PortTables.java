package io.offhook.doctor;

import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.TcpSocket;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What {@link PortWatch} asks the kernel for. */
interface PortTables {
    List<KernelSocket> udp(int port);

    List<TcpSocket> tcp(int port);

    /** The owners by inode, of those that are visible. */
    Map<Long, SocketOwners.Owner> owners(Set<Long> inodes);
}
