package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A line of {@code /proc/interrupts}.
 *
 * @param number the number of the interrupt
 * @param name the device or queue that requested it: {@code eth0-TxRx-3}, {@code virtio3-input.0}
 * @param counts the number of interrupts by processor
 */
record Interrupts(int number, String name, Map<Integer, Long> counts) {
    private static final String PROCESSOR = "CPU";

    long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    static List<Interrupts> parse(String text) {
        List<Interrupts> all = new ArrayList<>();
        List<String> lines = text.lines().toList();
        List<Integer> processors = lines.isEmpty() ? List.of() : processors(lines.getFirst());
        for (int i = 1; i < lines.size(); i++) {
            String[] words = Numbers.words(lines.get(i));
            Long number = Numbers.parse(words[0].replace(":", ""));
            // NMI, LOC and similar lines have names instead of numbers
            if (number == null || words.length < processors.size() + 2) {
                continue;
            }
            Map<Integer, Long> counts = new TreeMap<>();
            for (int j = 0; j < processors.size(); j++) {
                counts.put(processors.get(j), Numbers.orZero(words[j + 1]));
            }
            all.add(new Interrupts(number.intValue(), words[words.length - 1], Map.copyOf(counts)));
        }
        return all;
    }

    /** Parses {@code CPU0 CPU2}: the online processors, which in a container may differ from the visible ones. */
    private static List<Integer> processors(String heading) {
        List<Integer> processors = new ArrayList<>();
        for (String word : Numbers.words(heading)) {
            Long number = word.startsWith(PROCESSOR) ? Numbers.parse(word.substring(PROCESSOR.length())) : null;
            if (number != null) {
                processors.add(number.intValue());
            }
        }
        return processors;
    }

    /** The processor that takes at least 95 % of the interrupts; -1 if there is none. */
    static int onlyProcessor(List<Interrupts> interrupts) {
        Map<Integer, Long> sums = new TreeMap<>();
        interrupts.forEach(one -> one.counts().forEach((processor, count) -> sums.merge(processor, count, Long::sum)));
        long total = sums.values().stream().mapToLong(Long::longValue).sum();
        for (Map.Entry<Integer, Long> here : sums.entrySet()) {
            if (total > 0 && here.getValue() * 100 >= total * 95) {
                return here.getKey();
            }
        }
        return -1;
    }
}
