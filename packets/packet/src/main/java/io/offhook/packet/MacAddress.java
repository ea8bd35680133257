package io.offhook.packet;

import java.util.HexFormat;

/** MAC addresses (EUI-48) as 48 bits in a long. */
public final class MacAddress {
    private static final HexFormat HEX = HexFormat.ofDelimiter(":");

    private MacAddress() {}

    /** "02:00:5e:10:00:01". */
    public static String text(long address) {
        byte[] bytes = new byte[6];
        for (int i = 0; i < 6; i++) {
            bytes[i] = (byte) (address >>> 40 - 8 * i);
        }
        return HEX.formatHex(bytes);
    }

    /**
     * The address that {@link #text} writes: six bytes in hexadecimal with colons between.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static long parse(String text) {
        if (text.length() != 17) {
            throw new IllegalArgumentException("MAC address " + text + " is not like 02:00:5e:10:00:01");
        }
        long address = 0;
        for (byte octet : HEX.parseHex(text)) {
            address = address << 8 | octet & 0xff;
        }
        return address;
    }
}
