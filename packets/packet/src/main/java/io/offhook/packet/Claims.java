package io.offhook.packet;

import java.util.Arrays;

/**
 * The numbers that lead to a protocol. Immutable: each method returns claims with more numbers.
 *
 * <pre>{@code
 * Claims.NONE.etherType(0x88f7).udp(319, 320)
 * }</pre>
 */
public final class Claims {
    /** No number leads to it. */
    public static final Claims NONE = new Claims(new int[0]);

    private final int[] numbers; // the space in the high half, the number in the low

    private Claims(int[] numbers) {
        this.numbers = numbers;
    }

    /** The kind of a number. */
    public enum Space {
        /** {@link LinkType} values, 0 to 65535. */
        LINK_TYPE,
        /** {@link EtherType} values, 1536 to 65535. */
        ETHER_TYPE,
        /** {@link IpProtocol} values, 0 to 255. */
        IP_PROTOCOL,
        /** UDP ports, of either side. */
        UDP_PORT,
        /** TCP ports, of either side, of a stream in which a message begins with its first byte. */
        TCP_PORT,
        /** TCP ports, of either side, of a stream in which two bytes with its length are before each message. */
        TCP_PORT_WITH_LENGTH,
        /** Payload protocol identifiers of SCTP (RFC 9260, 3.3.1), 0 to 65535. */
        SCTP_PAYLOAD
    }

    /** Adds link types: {@link LinkType} values. */
    public Claims linkType(int... types) {
        return with(Space.LINK_TYPE, 0, 0xffff, types);
    }

    /** Adds EtherTypes, 1536 to 65535. */
    public Claims etherType(int... types) {
        return with(Space.ETHER_TYPE, EtherType.MIN, 0xffff, types);
    }

    /** Adds IP protocols or next headers, 0 to 255. */
    public Claims ipProtocol(int... protocols) {
        return with(Space.IP_PROTOCOL, 0, 0xff, protocols);
    }

    /** Adds UDP ports, 1 to 65535. */
    public Claims udp(int... ports) {
        return with(Space.UDP_PORT, 1, 0xffff, ports);
    }

    /** Adds TCP ports, 1 to 65535; applied to segments that begin with a message. */
    public Claims tcp(int... ports) {
        return with(Space.TCP_PORT, 1, 0xffff, ports);
    }

    /** Adds TCP ports, 1 to 65535, on which two bytes of length precede each message. */
    public Claims tcpWithLength(int... ports) {
        return with(Space.TCP_PORT_WITH_LENGTH, 1, 0xffff, ports);
    }

    /** Adds payload protocols of SCTP, 1 to 65535. */
    public Claims sctp(int... payloadProtocols) {
        return with(Space.SCTP_PAYLOAD, 1, 0xffff, payloadProtocols);
    }

    private Claims with(Space space, int min, int max, int... more) {
        int[] all = Arrays.copyOf(numbers, numbers.length + more.length);
        for (int i = 0; i < more.length; i++) {
            FieldRange.check(space.name(), more[i], min, max);
            all[numbers.length + i] = key(space, more[i]);
        }
        return new Claims(all);
    }

    @SuppressWarnings("EnumOrdinal") // only this process sees it
    private static int key(Space space, int number) {
        return space.ordinal() << 16 | number;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return numbers.length == 0;
    }

    /** Whether that number leads to the protocol. */
    public boolean contains(Space space, int number) {
        int key = key(space, number);
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == key) {
                return true;
            }
        }
        return false;
    }

    /** Whether any number of that space leads to the protocol. */
    @SuppressWarnings("EnumOrdinal") // only this process sees it
    public boolean has(Space space) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] >>> 16 == space.ordinal()) {
                return true;
            }
        }
        return false;
    }

    /** The numbers of a space, in the order in which they were added. */
    public int[] numbers(Space space) {
        int[] found = new int[numbers.length];
        int count = 0;
        for (int number : numbers) {
            if (number >>> 16 == key(space, 0) >>> 16) {
                found[count++] = number & 0xffff;
            }
        }
        return Arrays.copyOf(found, count);
    }
}
