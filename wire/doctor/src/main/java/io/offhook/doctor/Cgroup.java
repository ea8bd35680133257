package io.offhook.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The control group of this process and its ancestors: version 2, or the cpu controller of version 1. */
final class Cgroup {
    private static final String MOUNT = "/sys/fs/cgroup";

    private final SystemTree tree;

    Cgroup(SystemTree tree) {
        this.tree = tree;
    }

    /**
     * A limit on processor time.
     *
     * @param path the path of the group that sets it
     * @param processors the number of processors that may be busy all the time
     */
    record Quota(String path, double processors) {}

    /** The tightest quota; null if there is none. */
    @Nullable
    Quota quota() {
        Quota tightest = null;
        for (String folder : folders()) {
            String[] most = Numbers.words(tree.word(folder + "/cpu.max"));
            if (most.length < 2) {
                most = new String[] {tree.word(folder + "/cpu.cfs_quota_us"), tree.word(folder + "/cpu.cfs_period_us")};
            }
            Long quota = Numbers.parse(most[0]);
            Long period = Numbers.parse(most[1]);
            if (quota != null && period != null && quota > 0 && period > 0) {
                double processors = (double) quota / period;
                if (tightest == null || processors < tightest.processors()) {
                    tightest = new Quota(folder, processors);
                }
            }
        }
        return tightest;
    }

    /** How often processes waited for their quota, as {@code cgroup.throttled}. */
    Map<String, Long> throttling() {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (String folder : folders()) {
            String text = tree.word(folder + "/cpu.stat");
            for (String line : text.lines().toList()) {
                String[] words = Numbers.words(line);
                if (words.length == 2 && words[0].equals("nr_throttled")) {
                    counters.merge("cgroup.throttled", Numbers.orZero(words[1]), Long::max);
                }
            }
        }
        return counters;
    }

    /** The folders from the process's own group up to the root that it can see. */
    private List<String> folders() {
        List<String> folders = new ArrayList<>();
        for (String line : tree.word("/proc/self/cgroup").lines().toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length < 3) {
                continue;
            }
            boolean isCpu = List.of(parts[1].split(",", -1)).contains("cpu");
            if (parts[1].isEmpty()) {
                up(MOUNT, parts[2], folders);
            } else if (isCpu) {
                up(tree.exists(MOUNT + "/" + parts[1]) ? MOUNT + "/" + parts[1] : MOUNT + "/cpu", parts[2], folders);
            }
        }
        return folders;
    }

    private static void up(String mount, String path, List<String> folders) {
        String below = path.equals("/") ? "" : path;
        while (!below.isEmpty()) {
            folders.add(mount + below);
            below = below.substring(0, Math.max(0, below.lastIndexOf('/')));
        }
        folders.add(mount);
    }
}
