package io.offhook.live;

import io.offhook.linux.LinuxException;
import io.offhook.linux.network.Ethtool;
import io.offhook.live.engine.IfPacket;

/** The clock of the packets' timestamps. */
public enum TimestampClock {
    /** The system clock, when the kernel receives the packet from the driver: nanoseconds since the epoch. */
    KERNEL,
    /**
     * The clock of the network card, when the packet arrives: precise to the nanosecond, but only as accurate as that
     * clock, which ptp4l or phc2sys must set. Packets that the card did not stamp, such as outgoing ones, have the time
     * of the kernel; {@link io.offhook.live.packetsocket.PacketSocketSource#stampedByHardware} counts the others.
     */
    HARDWARE;

    /** Returns the clock that the status of a packet in the ring declares. */
    public static TimestampClock of(int status) {
        return (status & IfPacket.TP_STATUS_TS_RAW_HARDWARE) != 0 ? HARDWARE : KERNEL;
    }

    /**
     * If this is {@link #HARDWARE}, makes the card stamp all packets.
     *
     * @throws IllegalArgumentException if it cannot
     * @throws LinuxException EPERM if CAP_NET_ADMIN is missing
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
