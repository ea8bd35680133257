package io.offhook.doctor;

import io.offhook.linux.network.KernelSocket;
import io.offhook.linux.network.KernelSocket.Kind;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses {@code /proc/net/udp} and {@code /proc/net/udp6}: sockets without sock_diag, or of a copy. The files lack the
 * limits of the queues.
 *
 * <pre>
 *   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
 *  123: 0100007F:13C4 00000000:0000 07 00000000:00000A00 00:00000000 00000000     0        0 4711 2 0000000000000000 12
 * </pre>
 */
final class UdpTable {
    private static final int USER = 7;
    private static final int INODE = 9;
    private static final int DROPS = 12;

    private UdpTable() {}

    static List<KernelSocket> parse(String text, Kind kind) {
        List<KernelSocket> sockets = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] words = Numbers.words(line);
            if (words.length <= INODE || !words[0].endsWith(":")) {
                continue;
            }
            String remote = endpoint(words[2]);
            String[] queues = words[4].split(":", -1);
            long waiting = queues.length == 2 ? Numbers.hex(queues[1]) : 0;
            sockets.add(new KernelSocket(
                    kind,
                    endpoint(words[1]),
                    remote.endsWith(":0") ? "" : remote,
                    0,
                    new KernelSocket.Owner(Numbers.orZero(words[INODE]), Numbers.orZero(words[USER])),
                    new KernelSocket.Memory(waiting, 0, Numbers.hex(queues[0]), 0, 0),
                    // kernels before 2.6.27 lack this column
                    words.length > DROPS ? Numbers.orZero(words[DROPS]) : 0));
        }
        return sockets;
    }

    /** Parses an address written as 32-bit numbers in the byte order of this machine. */
    private static String endpoint(String text) {
        int colon = text.indexOf(':');
        if (colon != 8 && colon != 32) {
            return text;
        }
        ByteBuffer address = ByteBuffer.allocate(colon / 2).order(ByteOrder.nativeOrder());
        for (int i = 0; i < colon; i += 8) {
            address.putInt((int) Numbers.hex(text.substring(i, i + 8)));
        }
        try {
            String host = InetAddress.getByAddress(address.array()).getHostAddress();
            long port = Numbers.hex(text.substring(colon + 1));
            return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + colon / 2 + " bytes", e);
        }
    }
}
