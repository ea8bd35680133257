package io.offhook.live.packetsocket;

/**
 * How frames are sent to an interface by AF_PACKET.
 *
 * @param interfaceName as {@code ip link} has it
 * @param ringBytes of the send ring: a power of two, 64 KiB to 256 MiB; it has at least two slots, each for one frame of the
 *     interface's MTU
 * @param isQueueBypassed whether frames go to the driver at once, past the queueing discipline (PACKET_QDISC_BYPASS): faster,
 *     but neither shaped nor seen by captures on this machine
 */
public record PacketSocketSinkOptions(String interfaceName, int ringBytes, boolean isQueueBypassed) {
    /** Checks the ranges. */
    public PacketSocketSinkOptions {
        if (ringBytes < 64 << 10 || ringBytes > 256 << 20 || Integer.bitCount(ringBytes) != 1) {
            throw new IllegalArgumentException("ringBytes " + ringBytes + " is no power of two in 65536 to 268435456");
        }
    }

    /** A ring of 4 MiB, through the queue. */
    public static PacketSocketSinkOptions of(String interfaceName) {
        return new PacketSocketSinkOptions(interfaceName, 4 << 20, false);
    }

    /** With another ring. */
    public PacketSocketSinkOptions withRingBytes(int bytes) {
        return new PacketSocketSinkOptions(interfaceName, bytes, isQueueBypassed);
    }

    /** Past the queueing discipline, or through it. */
    public PacketSocketSinkOptions withQueueBypassed(boolean isQueueBypassed) {
        return new PacketSocketSinkOptions(interfaceName, ringBytes, isQueueBypassed);
    }
}
