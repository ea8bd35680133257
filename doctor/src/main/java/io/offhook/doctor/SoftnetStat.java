package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of {@code /proc/net/softnet_stat}: what a processor's receive softirq did, in hexadecimal. Older kernels have
 * fewer columns.
 *
 * @param processor its number; before Linux 5.10 the line's, which is the same where none is offline
 * @param processed packets
 * @param dropped since netdev_max_backlog packets waited
 * @param squeezed how often work was left when budget or time was over
 * @param steered packets that another processor gave it (RPS)
 * @param flowLimited dropped since one flow filled the backlog
 */
record SoftnetStat(int processor, long processed, long dropped, long squeezed, long steered, long flowLimited) {
    private static final int STEERED = 9;
    private static final int FLOW_LIMITED = 10;
    private static final int PROCESSOR = 12;

    static List<SoftnetStat> parse(String text) {
        List<SoftnetStat> stats = new ArrayList<>();
        for (String line : text.lines().toList()) {
            String[] columns = Numbers.words(line);
            if (columns.length >= 3) {
                stats.add(new SoftnetStat(
                        columns.length > PROCESSOR ? (int) Numbers.hex(columns[PROCESSOR]) : stats.size(),
                        Numbers.hex(columns[0]),
                        Numbers.hex(columns[1]),
                        Numbers.hex(columns[2]),
                        columns.length > STEERED ? Numbers.hex(columns[STEERED]) : 0,
                        columns.length > FLOW_LIMITED ? Numbers.hex(columns[FLOW_LIMITED]) : 0));
            }
        }
        return stats;
    }
}
