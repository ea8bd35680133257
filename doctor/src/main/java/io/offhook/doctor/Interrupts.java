package io.offhook.doctor;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of {@code /proc/interrupts}.
 *
 * @param number of the interrupt
 * @param name what asked for it: {@code eth0-TxRx-3}, {@code virtio3-input.0}
 * @param counts how often, by the processors of the heading
 */
record Interrupts(int number, String name, List<Long> counts) {
    long total() {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    static List<Interrupts> parse(String text) {
        List<Interrupts> all = new ArrayList<>();
        List<String> lines = text.lines().toList();
        int processors = lines.isEmpty() ? 0 : Numbers.words(lines.getFirst()).length;
        for (int i = 1; i < lines.size(); i++) {
            String[] words = Numbers.words(lines.get(i));
            Long number = Numbers.parse(words[0].replace(":", ""));
            // NMI, LOC and their like have names for numbers
            if (number == null || words.length < processors + 2) {
                continue;
            }
            List<Long> counts = new ArrayList<>();
            for (int j = 1; j <= processors; j++) {
                counts.add(Numbers.orZero(words[j]));
            }
            all.add(new Interrupts(number.intValue(), words[words.length - 1], List.copyOf(counts)));
        }
        return all;
    }

    /** The processor that has at least 95 of 100 of them all, as its place in the heading; -1 where there is none. */
    static int onlyProcessor(List<Interrupts> interrupts) {
        long total = interrupts.stream().mapToLong(Interrupts::total).sum();
        int processors =
                interrupts.stream().mapToInt(one -> one.counts().size()).max().orElse(0);
        for (int i = 0; i < processors; i++) {
            int processor = i;
            long here = interrupts.stream()
                    .mapToLong(one -> one.counts().get(processor))
                    .sum();
            if (total > 0 && here * 100 >= total * 95) {
                return processor;
            }
        }
        return -1;
    }
}
