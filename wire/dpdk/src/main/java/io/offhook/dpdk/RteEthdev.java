package io.offhook.dpdk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.offhook.linux.raw.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * {@code rte_ethdev.h}, {@code rte_ethdev_core.h}: ports, identified by number. Functions return a negative errno on
 * failure. {@link EthdevLayout} has the structures.
 */
final class RteEthdev {
    /** The table of burst functions, with an entry of {@link EthdevLayout#FP_OPS_BYTES} for each port. */
    static final long FP_OPS = DpdkLibraries.present(DpdkLibraries.ETHDEV)
            .find("rte_eth_fp_ops")
            .orElseThrow()
            .address();

    private static final FunctionDescriptor BURST_FORM =
            FunctionDescriptor.of(JAVA_CHAR, JAVA_LONG, JAVA_LONG, JAVA_CHAR);
    /** uint16_t burst(void *queue, struct rte_mbuf **mbufs, uint16_t count), at any address. */
    private static final MethodHandle BURST = NativeLibrary.function(BURST_FORM);

    private static final MethodHandle CRITICAL_BURST =
            NativeLibrary.function(BURST_FORM, Linker.Option.critical(false));

    private static final MethodHandle FIND_NEXT =
            DpdkLibraries.function(DpdkLibraries.ETHDEV, "rte_eth_find_next", JAVA_CHAR, JAVA_CHAR);
    private static final MethodHandle NAME_BY_PORT = ofPort("rte_eth_dev_get_name_by_port", ADDRESS);
    private static final MethodHandle PORT_BY_NAME =
            DpdkLibraries.function(DpdkLibraries.ETHDEV, "rte_eth_dev_get_port_by_name", JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle INFO = ofPort("rte_eth_dev_info_get", ADDRESS);
    private static final MethodHandle SOCKET = ofPort("rte_eth_dev_socket_id");
    private static final MethodHandle CONFIGURE = ofPort("rte_eth_dev_configure", JAVA_CHAR, JAVA_CHAR, ADDRESS);
    private static final MethodHandle ADJUST = ofPort("rte_eth_dev_adjust_nb_rx_tx_desc", ADDRESS, ADDRESS);
    private static final MethodHandle RX_SETUP =
            ofPort("rte_eth_rx_queue_setup", JAVA_CHAR, JAVA_CHAR, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle TX_SETUP =
            ofPort("rte_eth_tx_queue_setup", JAVA_CHAR, JAVA_CHAR, JAVA_INT, ADDRESS);
    private static final MethodHandle START = ofPort("rte_eth_dev_start");
    private static final MethodHandle STOP = ofPort("rte_eth_dev_stop");
    private static final MethodHandle CLOSE = ofPort("rte_eth_dev_close");
    private static final MethodHandle IS_REMOVED = ofPort("rte_eth_dev_is_removed");
    private static final MethodHandle PROMISCUOUS_ENABLE = ofPort("rte_eth_promiscuous_enable");
    private static final MethodHandle PROMISCUOUS_DISABLE = ofPort("rte_eth_promiscuous_disable");
    private static final MethodHandle PROMISCUOUS_GET = ofPort("rte_eth_promiscuous_get");
    private static final MethodHandle ALL_MULTICAST_ENABLE = ofPort("rte_eth_allmulticast_enable");
    private static final MethodHandle ALL_MULTICAST_DISABLE = ofPort("rte_eth_allmulticast_disable");
    private static final MethodHandle ALL_MULTICAST_GET = ofPort("rte_eth_allmulticast_get");
    private static final MethodHandle LINK = ofPort("rte_eth_link_get_nowait", ADDRESS);
    private static final MethodHandle MAC = ofPort("rte_eth_macaddr_get", ADDRESS);
    private static final MethodHandle MTU = ofPort("rte_eth_dev_get_mtu", ADDRESS);
    private static final MethodHandle SET_MTU = ofPort("rte_eth_dev_set_mtu", JAVA_CHAR);
    private static final MethodHandle STATS = ofPort("rte_eth_stats_get", ADDRESS);
    private static final MethodHandle RESET_STATS = ofPort("rte_eth_stats_reset");
    private static final MethodHandle XSTATS = ofPort("rte_eth_xstats_get", ADDRESS, JAVA_INT);
    private static final MethodHandle XSTATS_NAMES = ofPort("rte_eth_xstats_get_names", ADDRESS, JAVA_INT);

    private RteEthdev() {}

    /** int function(uint16_t port, ...). */
    private static MethodHandle ofPort(String name, MemoryLayout... more) {
        MemoryLayout[] arguments = new MemoryLayout[more.length + 1];
        arguments[0] = JAVA_CHAR;
        System.arraycopy(more, 0, arguments, 1, more.length);
        return DpdkLibraries.function(DpdkLibraries.ETHDEV, name, JAVA_INT, arguments);
    }

    /**
     * Receives or sends a burst.
     *
     * @param function the function from the table
     * @param queue its data from the table
     * @param mbufs the address of an array
     * @param count 0 to 65,535
     * @return the number of mbufs received or sent
     */
    static int burst(MemorySegment function, long queue, long mbufs, int count) {
        try {
            return (char) BURST.invokeExact(function, queue, mbufs, (char) count);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** As {@link #burst}, for drivers whose functions make no system call. */
    static int criticalBurst(MemorySegment function, long queue, long mbufs, int count) {
        try {
            return (char) CRITICAL_BURST.invokeExact(function, queue, mbufs, (char) count);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** Returns the first port from this number on, or {@link EthdevLayout#MAX_PORTS} or more if there is none. */
    static int findNext(int from) {
        try {
            return (char) FIND_NEXT.invokeExact((char) from);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** @param name receives the name, {@link EthdevLayout#NAME_BYTES} long */
    static int nameByPort(int port, MemorySegment name) {
        try {
            return (int) NAME_BY_PORT.invokeExact((char) port, name);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** @param port receives the number, 16 bits */
    static int portByName(MemorySegment name, MemorySegment port) {
        try {
            return (int) PORT_BY_NAME.invokeExact(name, port);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    static int info(int port, MemorySegment info) {
        try {
            return (int) INFO.invokeExact((char) port, info);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** Returns the NUMA node, -1 for any. */
    static int socket(int port) {
        return call(SOCKET, port);
    }

    static int configure(int port, int rxQueues, int txQueues, MemorySegment conf) {
        try {
            return (int) CONFIGURE.invokeExact((char) port, (char) rxQueues, (char) txQueues, conf);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    /** Adjusts two numbers of descriptors, 16 bits each, to what the device supports. */
    static int adjustDescriptors(int port, MemorySegment rx, MemorySegment tx) {
        try {
            return (int) ADJUST.invokeExact((char) port, rx, tx);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    static int rxQueueSetup(int port, int queue, int descriptors, int socket, long pool) {
        try {
            return (int) RX_SETUP.invokeExact(
                    (char) port, (char) queue, (char) descriptors, socket, MemorySegment.NULL, pool);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    static int txQueueSetup(int port, int queue, int descriptors, int socket) {
        try {
            return (int)
                    TX_SETUP.invokeExact((char) port, (char) queue, (char) descriptors, socket, MemorySegment.NULL);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    static int start(int port) {
        return call(START, port);
    }

    static int stop(int port) {
        return call(STOP, port);
    }

    static int close(int port) {
        return call(CLOSE, port);
    }

    /** Returns 1 if the device was removed. */
    static int isRemoved(int port) {
        return call(IS_REMOVED, port);
    }

    static int promiscuousEnable(int port) {
        return call(PROMISCUOUS_ENABLE, port);
    }

    static int promiscuousDisable(int port) {
        return call(PROMISCUOUS_DISABLE, port);
    }

    static int promiscuousGet(int port) {
        return call(PROMISCUOUS_GET, port);
    }

    static int allMulticastEnable(int port) {
        return call(ALL_MULTICAST_ENABLE, port);
    }

    static int allMulticastDisable(int port) {
        return call(ALL_MULTICAST_DISABLE, port);
    }

    static int allMulticastGet(int port) {
        return call(ALL_MULTICAST_GET, port);
    }

    static int link(int port, MemorySegment link) {
        return ask(LINK, port, link);
    }

    static int mac(int port, MemorySegment address) {
        return ask(MAC, port, address);
    }

    /** @param mtu receives the MTU, 16 bits */
    static int mtu(int port, MemorySegment mtu) {
        return ask(MTU, port, mtu);
    }

    static int setMtu(int port, int mtu) {
        try {
            return (int) SET_MTU.invokeExact((char) port, (char) mtu);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    static int stats(int port, MemorySegment stats) {
        return ask(STATS, port, stats);
    }

    static int resetStats(int port) {
        return call(RESET_STATS, port);
    }

    /** @return the number of values, possibly more than fit */
    static int xstats(int port, MemorySegment values, int room) {
        return list(XSTATS, port, values, room);
    }

    /** @return the number of names, possibly more than fit */
    static int xstatsNames(int port, MemorySegment names, int room) {
        return list(XSTATS_NAMES, port, names, room);
    }

    private static int call(MethodHandle function, int port) {
        try {
            return (int) function.invokeExact((char) port);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    private static int ask(MethodHandle function, int port, MemorySegment result) {
        try {
            return (int) function.invokeExact((char) port, result);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }

    private static int list(MethodHandle function, int port, MemorySegment results, int room) {
        try {
            return (int) function.invokeExact((char) port, results, room);
        } catch (Throwable e) {
            throw DpdkLibraries.impossible(e);
        }
    }
}
