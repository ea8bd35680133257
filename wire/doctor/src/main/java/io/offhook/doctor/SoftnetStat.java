package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of {@code /proc/net/softnet_stat}: the work of a processor's receive softirq, in hexadecimal. Older kernels
 * have fewer columns.
 *
 * @param processor the number of the processor; before Linux 5.10 the number of the line, which is the same if no
 *     processor is offline
 * @param processed packets processed
 * @param dropped packets dropped because netdev_max_backlog was reached
 * @param squeezed how often work was left because budget or time had run out
 * @param steered packets received from another processor (RPS)
 * @param flowLimited packets dropped because one flow filled the backlog
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
