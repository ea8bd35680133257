package io.offhook.sip;

import io.offhook.packet.Endpoint;
import org.jspecify.annotations.Nullable;

/** Reads IP addresses from text without ever asking the network what a name means. */
final class IpText {
    private IpText() {}

    /** The address with port 0, or null when the text is none: dotted decimal, or RFC 4291, 2.2, brackets and zone allowed. */
    static @Nullable Endpoint parse(String text) {
        String address = text;
        if (address.length() > 2 && address.charAt(0) == '[' && address.charAt(address.length() - 1) == ']') {
            address = address.substring(1, address.length() - 1);
        }
        int zone = address.indexOf('%');
        if (zone >= 0) {
            address = address.substring(0, zone);
        }
        if (address.length() > 45) {
            return null;
        }
        if (address.indexOf(':') >= 0) {
            return ipv6(address);
        }
        long ipv4 = ipv4(address, 0, address.length());
        return ipv4 < 0 ? null : Endpoint.ofIpv4((int) ipv4, 0);
    }

    /** The 32 bits, or -1. */
    private static long ipv4(String text, int from, int end) {
        long bits = 0;
        int at = from;
        for (int part = 0; part < 4; part++) {
            int value = 0;
            int digits = 0;
            while (at < end && SipLexer.isDigit(text.charAt(at)) && digits < 4) {
                value = value * 10 + text.charAt(at) - '0';
                at++;
                digits++;
            }
            boolean dot = at < end && text.charAt(at) == '.';
            if (digits == 0 || digits > 3 || value > 255 || dot != (part < 3)) {
                return -1;
            }
            bits = bits << 8 | value;
            at++;
        }
        return at == end + 1 ? bits : -1;
    }

    private static @Nullable Endpoint ipv6(String text) {
        int[] group = new int[8];
        int count = 0;
        int gap = -1;
        int at = 0;
        int end = text.length();
        if (text.startsWith("::")) {
            gap = 0;
            at = 2;
        }
        while (at < end) {
            int stop = at;
            while (stop < end && text.charAt(stop) != ':') {
                stop++;
            }
            if (stop == end && text.indexOf('.', at) >= 0) {
                long ipv4 = count <= 6 ? ipv4(text, at, end) : -1;
                if (ipv4 < 0) {
                    return null;
                }
                group[count++] = (int) (ipv4 >>> 16);
                group[count++] = (int) (ipv4 & 0xffff);
                break;
            }
            int value = count < 8 ? hexadecimal(text, at, stop) : -1;
            if (value < 0) {
                return null;
            }
            group[count++] = value;
            at = stop + 1;
            if (at < end && text.charAt(at) == ':') {
                if (gap >= 0) {
                    return null;
                }
                gap = count;
                at++;
            } else if (at == end) {
                return null;
            }
        }
        return count == 8 && gap < 0 || gap >= 0 && count < 8 ? spread(group, count, gap) : null;
    }

    private static Endpoint spread(int[] group, int count, int gap) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < 8; i++) {
            int from = gap < 0 || i < gap ? i : i - (8 - count);
            int value = gap >= 0 && i >= gap && from < gap ? 0 : group[from];
            if (i < 4) {
                high = high << 16 | value;
            } else {
                low = low << 16 | value;
            }
        }
        return new Endpoint(high, low, 0);
    }

    private static int hexadecimal(String text, int from, int end) {
        if (end == from || end - from > 4) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < end; i++) {
            int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), 16) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }
}
