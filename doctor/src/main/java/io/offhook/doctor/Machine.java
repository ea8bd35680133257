package io.offhook.doctor;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a machine is set up.
 *
 * @param sysctls by name, {@code net.core.rmem_max}; those that could not be read are not there
 * @param ownsSysctls whether the settings of the whole network can be seen: not in a container's network namespace
 * @param cards the interfaces that are looked at
 * @param interfaceNames of all interfaces, by index
 * @param processors that are online
 * @param siblings processors that are one core, in lists of two or more
 * @param governors by name, the processors that have them; empty where frequencies are not scaled here
 * @param scalingDriver of the first of them
 * @param numaNodes by number, their processors
 * @param kernel release: {@code 6.1.0-18-amd64}; empty where not told
 * @param clockSource what time is read from
 * @param clockSources what could be
 * @param hugePages by size in kB, how many there are
 * @param hugePageKb the usual size of them, which vm.nr_hugepages counts; 1 or more
 * @param capabilities of this process, a bit each; -1 where not told
 * @param lockedMemoryBytes that this process may have, hard limit; -1 without limit or where not told
 * @param openFiles that this process may have, hard limit; -1 without limit or where not told
 * @param quota of its control group; null without one
 * @param hasIrqbalance whether irqbalance runs
 */
record Machine(
        Map<String, String> sysctls,
        boolean ownsSysctls,
        List<NetworkCard> cards,
        Map<Integer, String> interfaceNames,
        List<Integer> processors,
        List<List<Integer>> siblings,
        Map<String, List<Integer>> governors,
        String scalingDriver,
        Map<Integer, List<Integer>> numaNodes,
        String kernel,
        String clockSource,
        List<String> clockSources,
        Map<Long, Long> hugePages,
        long hugePageKb,
        long capabilities,
        long lockedMemoryBytes,
        long openFiles,
        Cgroup.@Nullable Quota quota,
        boolean hasIrqbalance) {
    static final int CAP_NET_ADMIN = 12;
    static final int CAP_NET_RAW = 13;
    static final int CAP_IPC_LOCK = 14;
    static final int CAP_SYS_ADMIN = 21;
    static final int CAP_PERFMON = 38;
    static final int CAP_BPF = 39;

    /** A setting that is one number; null where it could not be read. */
    @Nullable
    Long sysctl(String name) {
        return Numbers.parse(sysctls.getOrDefault(name, ""));
    }

    boolean hasCapability(int number) {
        return (capabilities >>> number & 1) != 0;
    }

    /** Whether the kernel is at least of that version; true where it is not told. */
    boolean isKernel(int major, int minor) {
        String[] parts = kernel.split("[.-]", -1);
        if (parts.length < 2 || Numbers.parse(parts[0]) == null) {
            return true;
        }
        long itsMajor = Numbers.orZero(parts[0]);
        return itsMajor > major || itsMajor == major && Numbers.orZero(parts[1].replaceAll("\\D.*", "")) >= minor;
    }
}
