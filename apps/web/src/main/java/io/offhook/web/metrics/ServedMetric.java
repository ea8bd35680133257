package io.offhook.web.metrics;

import io.offhook.metrics.Metric;
import java.util.List;

/** The metrics of {@code offhook serve}; docs/METRICS.md is this list. */
enum ServedMetric implements Metric {
    BUILD_INFO("build_info", Type.GAUGE, "version", "Always 1; the version of Offhook is its label."),
    START_TIME("start_time_seconds", Type.GAUGE, "", "When the server started, seconds since 1970."),
    RUNNING_CALLS("running_calls", Type.GAUGE, "", "Calls that ring or are talked in now."),
    CALLS("calls_ended_total", Type.COUNTER, "outcome", "Calls that ended, by how they did."),
    ATTEMPTS(
            "call_attempts_total",
            Type.COUNTER,
            "",
            "Of the calls that ended, those that began with an INVITE and were not redirected: what ASR and NER are"
                    + " of."),
    ANSWERED("call_attempts_answered_total", Type.COUNTER, "", "Of these, answered: the numerator of ASR."),
    EFFECTIVE(
            "call_attempts_effective_total",
            Type.COUNTER,
            "",
            "Of these, that reached the callee's terminal (answered, rang, busy, declined, 480): the numerator of"
                    + " NER."),
    BAD("calls_bad_total", Type.COUNTER, "", "Calls that ended and whose service failed."),
    PROBLEMS("call_problems_total", Type.COUNTER, "kind", "Calls that ended and had a problem of the kind."),
    SET_UP("call_set_up_seconds", Type.HISTOGRAM, "", "From the INVITE to the first sign of progress."),
    DURATION("call_duration_seconds", Type.HISTOGRAM, "", "From the answer to the end."),
    MOS("call_mos", Type.HISTOGRAM, "scale", "The lowest MOS of a call's streams, 1 to 5, on one scale."),
    PACKETS("capture_packets_total", Type.COUNTER, "input", "Packets read."),
    BYTES("capture_bytes_total", Type.COUNTER, "input", "Bytes of these packets."),
    INPUT_DROPS(
            "capture_dropped_packets_total",
            Type.COUNTER,
            "input cause",
            "Packets of an input that were dropped before they were read: by the kernel, or as the ring was full."),
    INPUT_REFUSED(
            "capture_refused_packets_total",
            Type.COUNTER,
            "input cause",
            "Packets of HEP agents that were refused: without the key or with a wrong one (`wrong key`), or for another reason"
                    + " (`malformed`)."),
    MESSAGES(
            "sip_messages_total", Type.COUNTER, "kind", "SIP messages captured, copies included: request or response."),
    DROPS("drops_total", Type.COUNTER, "cause", "What Offhook itself did not see or could not use, by cause."),
    STORE_WRITTEN("store_rows_written_total", Type.COUNTER, "table", "Rows written; a call that goes on has several."),
    STORE_LOST("store_rows_lost_total", Type.COUNTER, "table", "Rows that were not written."),
    STORE_FAILED("store_failed_writes_total", Type.COUNTER, "", "Writes that failed, and were tried again."),
    STORE_QUEUE("store_queue_bytes", Type.GAUGE, "", "What waits to be written."),
    HTTP_REQUESTS("http_requests_total", Type.COUNTER, "route code", "Requests answered, by part of the server."),
    HTTP_DURATION(
            "http_request_duration_seconds",
            Type.HISTOGRAM,
            "",
            "How long answers took, but for events, audio, packets and uploads."),
    ALERTS_ACTIVE("alerts_active", Type.GAUGE, "rule", "Whether the alert of the rule is raised: 1 if it is."),
    ALERT_NOTICES(
            "alert_notices_total",
            Type.COUNTER,
            "target result",
            "Notices by what became of them: sent, failed (after all attempts) or dropped (its queue was full)."),
    ALERTS_SUPPRESSED(
            "alert_notices_suppressed_total",
            Type.COUNTER,
            "",
            "Notices held back, by repeat or by the limit an hour."),
    ALERT_FAILURES(
            "alert_evaluation_failures_total",
            Type.COUNTER,
            "",
            "Rules that could not be evaluated, each time counted."),
    MEMORY_USED("jvm_memory_used_bytes", Type.GAUGE, "area", "Memory of the virtual machine: heap or nonheap."),
    MEMORY_COMMITTED("jvm_memory_committed_bytes", Type.GAUGE, "area", "What it has of the system of it."),
    MEMORY_MOST("jvm_memory_max_bytes", Type.GAUGE, "area", "What it may have at most; -1 without a limit."),
    GC_COUNT("jvm_gc_collections_total", Type.COUNTER, "collector", "Collections of garbage."),
    GC_TIME("jvm_gc_collection_seconds_total", Type.COUNTER, "collector", "What they took together."),
    PROCESS_MEMORY(
            "process_resident_memory_bytes",
            Type.GAUGE,
            "",
            "Main memory of the process, that of the database included."),
    PROCESS_CPU("process_cpu_seconds_total", Type.COUNTER, "", "Processor time of the process.");

    private static final String PREFIX = "offhook_";

    private final String suffix;
    private final Type type;
    private final String labels;
    private final String help;

    ServedMetric(String suffix, Type type, String labels, String help) {
        this.suffix = suffix;
        this.type = type;
        this.labels = labels;
        this.help = help;
    }

    @Override
    public String fullName() {
        return PREFIX + suffix;
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public List<String> labels() {
        return labels.isEmpty() ? List.of() : List.of(labels.split(" ", -1));
    }

    @Override
    public String help() {
        return help;
    }
}
