package io.offhook.doctor;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a machine.
 *
 * @param sysctls settings by name, {@code net.core.rmem_max}; unreadable ones are absent
 * @param ownsSysctls whether the settings of the whole network stack are visible: not in a container's network
 *     namespace
 * @param cards the examined interfaces
 * @param interfaceNames the names of all interfaces by index
 * @param processors the online processors
 * @param siblings the processors that share a core, in lists of two or more
 * @param governors the frequency governors with their processors; empty without frequency scaling
 * @param scalingDriver the frequency driver of the first processor
 * @param numaNodes the processors by number of the node
 * @param kernel the release: {@code 6.1.0-18-amd64}; empty if unknown
 * @param clockSource the clock that time is read from
 * @param clockSources the available clocks
 * @param hugePages the number of huge pages by size in kB
 * @param hugePageKb the default size of huge pages in kB, which vm.nr_hugepages counts; 1 or more
 * @param capabilities the capabilities of this process, one bit each; -1 if unknown
 * @param lockedMemoryBytes the hard limit of this process on locked memory; -1 if unlimited or unknown
 * @param openFiles the hard limit of this process on open files; -1 if unlimited or unknown
 * @param quota the processor quota of the control group; null if there is none
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

    /** A setting with a single number; null if it could not be read. */
    @Nullable
    Long sysctl(String name) {
        return Numbers.parse(sysctls.getOrDefault(name, ""));
    }

    boolean hasCapability(int number) {
        return (capabilities >>> number & 1) != 0;
    }

    /** Whether the kernel has at least this version; true if the version is unknown. */
    boolean isKernel(int major, int minor) {
        String[] parts = kernel.split("[.-]", -1);
        if (parts.length < 2 || Numbers.parse(parts[0]) == null) {
            return true;
        }
        long itsMajor = Numbers.orZero(parts[0]);
        return itsMajor > major || itsMajor == major && Numbers.orZero(parts[1].replaceAll("\\D.*", "")) >= minor;
    }
}
