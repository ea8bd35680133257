package io.offhook.doctor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses the counters of protocols by name, {@code Udp.RcvbufErrors}, from the files of {@code /proc/net}. */
final class ProtocolCounters {
    private ProtocolCounters() {}

    /**
     * Parses {@code snmp} and {@code netstat}: a line of names, then a line of values, each starting with the protocol.
     */
    static Map<String, Long> ofPairs(String text) {
        Map<String, Long> counters = new LinkedHashMap<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            String[] names = Numbers.words(lines.get(i));
            String[] values = Numbers.words(lines.get(i + 1));
            // the values of one protocol are followed by the names of the next
            boolean isPair = names[0].endsWith(":")
                    && names[0].equals(values[0])
                    && Numbers.parse(names[names.length - 1]) == null;
            String protocol = names[0].replace(":", ".");
            for (int j = 1; isPair && j < Math.min(names.length, values.length); j++) {
                counters.put(protocol + names[j], Numbers.orZero(values[j]));
            }
        }
        return counters;
    }

    /** Parses {@code snmp6}: one name and value per line, {@code Udp6RcvbufErrors}. */
    static Map<String, Long> ofLines(String text) {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            String[] words = Numbers.words(line);
            int digit = words[0].indexOf('6');
            if (words.length == 2 && digit > 0) {
                counters.put(
                        words[0].substring(0, digit + 1) + "." + words[0].substring(digit + 1),
                        Numbers.orZero(words[1]));
            }
        }
        return counters;
    }

    /** Parses {@code sockstat}: {@code UDP: inuse 2 mem 1}. */
    static Map<String, Long> ofSockstat(String text) {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            String[] words = Numbers.words(line);
            for (int i = 1; i + 1 < words.length; i += 2) {
                counters.put(words[0].replace(":", "") + "." + words[i], Numbers.orZero(words[i + 1]));
            }
        }
        return counters;
    }

    /**
     * Parses {@code /proc/net/stat/nf_conntrack}: a line of names, then one line of hexadecimal values per processor,
     * which are added up.
     */
    static Map<String, Long> ofConntrack(String text) {
        Map<String, Long> counters = new LinkedHashMap<>();
        List<String> lines = text.lines().toList();
        String[] names = lines.isEmpty() ? new String[0] : Numbers.words(lines.getFirst());
        for (int i = 1; i < lines.size(); i++) {
            String[] values = Numbers.words(lines.get(i));
            for (int j = 0; j < Math.min(names.length, values.length); j++) {
                counters.merge("conntrack." + names[j], Numbers.hex(values[j]), Long::sum);
            }
        }
        return counters;
    }

    /** Parses {@code /proc/net/dev}: receive and send columns, under their names in {@code /sys/class/net}. */
    static Map<String, Map<String, Long>> ofDevices(String text) {
        String[] names = {
            "rx_bytes", "rx_packets", "rx_errors", "rx_dropped", "rx_fifo_errors", "rx_frame_errors", "rx_compressed",
            "multicast", "tx_bytes", "tx_packets", "tx_errors", "tx_dropped", "tx_fifo_errors", "collisions",
            "tx_carrier_errors", "tx_compressed"
        };
        Map<String, Map<String, Long>> devices = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            int colon = line.lastIndexOf(':');
            if (colon < 0) {
                continue;
            }
            String[] values = Numbers.words(line.substring(colon + 1));
            Map<String, Long> counters = new LinkedHashMap<>();
            for (int i = 0; i < Math.min(names.length, values.length); i++) {
                counters.put(names[i], Numbers.orZero(values[i]));
            }
            devices.put(line.substring(0, colon).strip(), counters);
        }
        return devices;
    }
}
