package io.offhook.linux.libc;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.testkit.peers.CompilerConstants;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is said to perf_event_open(2) against {@code linux/perf_event.h}. */
@EnabledOnOs(OS.LINUX)
class PerfEventHeaderTest {
    @TempDir
    Path folder;

    @Test
    void attributesAgreeWithTheCompiler() throws Exception {
        CompilerConstants.assertAgree(
                PerfEventHeader.class,
                List.of("stddef.h", "linux/perf_event.h"),
                Map.ofEntries(
                        entry("TYPE", "offsetof(struct perf_event_attr, type)"),
                        entry("SIZE", "offsetof(struct perf_event_attr, size)"),
                        entry("CONFIG", "offsetof(struct perf_event_attr, config)"),
                        entry("READ_FORMAT", "offsetof(struct perf_event_attr, read_format)"),
                        entry("FLAGS", "offsetof(struct perf_event_attr, read_format) + 8"),
                        entry("PERF_FORMAT_TIMES", "PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING"),
                        entry("ATTRIBUTE_BYTES", "PERF_ATTR_SIZE_VER0"),
                        entry("CLOEXEC", "PERF_FLAG_FD_CLOEXEC")),
                Set.of("NUMBER", "EXCLUDE_KERNEL", "ANY_PROCESSOR", "NO_GROUP"),
                folder);
    }

    /** As the tables of system calls of linux/arch have them. */
    @Test
    void theCallHasTheNumberOfItsArchitecture() {
        assertThat(PerfEventHeader.number("amd64")).isEqualTo(298);
        assertThat(PerfEventHeader.number("aarch64")).isEqualTo(241);
        assertThat(PerfEventHeader.number("riscv64")).isEqualTo(241);
        assertThat(PerfEventHeader.number("ppc64le")).isEqualTo(319);
        assertThat(PerfEventHeader.number("s390x")).isEqualTo(331);
    }
}
