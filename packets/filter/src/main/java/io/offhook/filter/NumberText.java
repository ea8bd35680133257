package io.offhook.filter;

/** Parses the numbers and addresses of expressions. */
final class NumberText {
    private NumberText() {}

    /** A number as in C: decimal, octal after 0, hexadecimal after 0x; 32 bits, unsigned. */
    static int parse(String text, String expression, int offset) {
        boolean isHexadecimal = text.length() > 1 && (text.charAt(1) == 'x' || text.charAt(1) == 'X');
        int radix = isHexadecimal ? 16 : text.charAt(0) == '0' ? 8 : 10;
        long value = 0;
        for (int i = isHexadecimal ? 2 : 0; i < text.length(); i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit >= radix) {
                throw new FilterException("number " + text + " contains non-octal digit", expression, offset);
            }
            value = value * radix + digit;
            if (value > 0xffff_ffffL) {
                throw new FilterException("number " + text + " overflows 32 bits", expression, offset);
            }
        }
        return (int) value;
    }

    /** The number of bits that a partial IPv4 address has, 8 per number; -1 if a number is above 255 or not decimal. */
    static int ipv4Bits(String text) {
        int bits = 0;
        for (String part : text.split("\\.", -1)) {
            if (part.length() > 1 && (part.charAt(1) == 'x' || part.charAt(1) == 'X')) {
                return -1;
            }
            if (decimal(part) > 255) {
                return -1;
            }
            bits += 8;
        }
        return bits;
    }

    /** The numbers of an IPv4 address accepted by {@link #ipv4Bits}, in the low bits. */
    static int ipv4(String text) {
        int address = 0;
        for (String part : text.split("\\.", -1)) {
            address = address << 8 | decimal(part);
        }
        return address;
    }

    /**
     * An address as C's inet_aton reads it: up to four numbers as in C, the last of which fills all remaining bytes; -1
     * if it is invalid.
     */
    static long inetAddress(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length > 4) {
            return -1;
        }
        long address = 0;
        for (int i = 0; i < parts.length; i++) {
            int bits = i < parts.length - 1 ? 8 : 8 * (5 - parts.length);
            if (!parts[i].matches("0[xX][0-9A-Fa-f]{1,15}|0[0-7]{0,20}|[1-9][0-9]{0,17}")) {
                return -1;
            }
            long value = Long.decode(parts[i]);
            if (value >>> bits != 0) {
                return -1;
            }
            address = address << bits | value;
        }
        return address;
    }

    private static int decimal(String text) {
        int value = 0;
        for (int i = 0; i < text.length() && value < 1000; i++) {
            value = value * 10 + text.charAt(i) - '0';
        }
        return value;
    }

    /** A DECnet address, area (6 bits) and node (10 bits); -1 if it is invalid. Text after a second dot is ignored. */
    static int decnet(String text) {
        String[] parts = text.split("\\.", -1);
        if (!text.matches("[0-9.]+")) {
            return -1;
        }
        return wrapped(parts[0]) << 10 & 0xfc00 | wrapped(parts[1]) & 0x03ff;
    }

    private static int wrapped(String digits) {
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            value = value * 10 + digits.charAt(i) - '0';
        }
        return value;
    }

    /**
     * The byte of an ARCNET address: libpcap parses the dollar sign as a digit, which yields 0xd, and then the digit
     * after it.
     */
    static byte arcnet(String text) {
        return (byte) (0xd0 | Character.digit(text.charAt(1), 16));
    }

    /** The six bytes of an Ethernet address, in any of its forms. */
    static byte[] mac(String text) {
        String separator = text.indexOf(':') >= 0 ? ":" : text.indexOf('-') >= 0 ? "-" : "\\.";
        String[] parts = text.split(separator, -1);
        byte[] address = new byte[6];
        int digits = parts.length == 6 ? 2 : parts.length == 3 ? 4 : 12;
        int at = 0;
        for (String part : parts) {
            long value = Long.parseLong(part, 16);
            for (int shift = digits * 4 - 8; shift >= 0; shift -= 8) {
                address[at++] = (byte) (value >> shift);
            }
        }
        return address;
    }
}
