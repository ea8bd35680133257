package io.offhook.live.packetsocket;

/**
 * How to send frames on an interface by AF_PACKET.
 *
 * @param interfaceName the name as shown by {@code ip link}
 * @param ringBytes the size of the send ring: a power of two, 64 KiB to 256 MiB; it has at least two slots, each for
 *     one frame of the interface's MTU
 * @param isQueueBypassed whether frames bypass the queueing discipline and go directly to the driver
 *     (PACKET_QDISC_BYPASS): faster, but neither shaped nor seen by captures on this machine
 */
public record PacketSocketSinkOptions(String interfaceName, int ringBytes, boolean isQueueBypassed) {
    /** Checks the ranges. */
    public PacketSocketSinkOptions {
        if (ringBytes < 64 << 10 || ringBytes > 256 << 20 || Integer.bitCount(ringBytes) != 1) {
            throw new IllegalArgumentException(
                    "ringBytes " + ringBytes + " is not a power of two from 65536 to 268435456");
        }
    }

    /** Creates options for a ring of 4 MiB that sends through the queueing discipline. */
    public static PacketSocketSinkOptions of(String interfaceName) {
        return new PacketSocketSinkOptions(interfaceName, 4 << 20, false);
    }

    /** Returns a copy with another ring size in bytes. */
    public PacketSocketSinkOptions withRingBytes(int bytes) {
        return new PacketSocketSinkOptions(interfaceName, bytes, isQueueBypassed);
    }

    /** Returns a copy that bypasses the queueing discipline, or does not. */
    public PacketSocketSinkOptions withQueueBypassed(boolean isQueueBypassed) {
        return new PacketSocketSinkOptions(interfaceName, ringBytes, isQueueBypassed);
    }
}
