package io.offhook.live;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.Ethtool;
import io.offhook.live.engine.IfPacket;

/** By which clock packets are stamped. */
public enum TimestampClock {
    /** The system's, when the kernel gets the packet from the driver: nanoseconds since the epoch. */
    KERNEL,
    /**
     * The network card's own, when the packet comes in: to the nanosecond, but of the time that this clock has, which ptp4l or
     * phc2sys must set. Packets that the card did not stamp, those that are sent among them, have the time of the kernel;
     * {@link io.offhook.live.packetsocket.PacketSocketSource#stampedByHardware} counts the others.
     */
    HARDWARE;

    /** The one that a packet's status in the ring tells of. */
    public static TimestampClock of(int status) {
        return (status & IfPacket.TP_STATUS_TS_RAW_HARDWARE) != 0 ? HARDWARE : KERNEL;
    }

    /**
     * Has the card stamp all packets, where this is {@link #HARDWARE}.
     *
     * @throws IllegalArgumentException where it cannot
     * @throws LinuxException EPERM where CAP_NET_ADMIN is missing, which that needs
     */
    public void switchOn(String interfaceName) {
        if (this == KERNEL) {
            return;
        }
        try (Ethtool ethtool = Ethtool.open()) {
            Ethtool.Timestamps timestamps = ethtool.timestamps(interfaceName);
            if (timestamps == null || !timestamps.hasHardwareForAll() || !ethtool.stampAll(interfaceName)) {
                throw new IllegalArgumentException("interface " + interfaceName
                        + " cannot stamp all packets that it receives; ethtool -T " + interfaceName
                        + " shows what it can");
            }
        }
    }
}
