package io.offhook.proxy.statistics;

import io.offhook.metrics.Metric;
import java.util.List;

/** The metrics of a proxy, as Prometheus names them; docs/PROXY-METRICS.md is this list. */
enum ProxyMetric implements Metric {
    START_TIME("start_time_seconds", Type.GAUGE, "", "When the proxy started, seconds since 1970."),
    REQUESTS("requests_total", Type.COUNTER, "direction method", "Requests received and sent for the first time."),
    RESPONSES(
            "responses_total",
            Type.COUNTER,
            "direction method code",
            "Responses received and sent for the first time."),
    RETRANSMISSIONS(
            "retransmissions_total",
            Type.COUNTER,
            "direction method code",
            "Messages received and sent again; code is 0 for a request."),
    NEIGHBOUR_MESSAGES(
            "neighbour_messages_total",
            Type.COUNTER,
            "neighbour direction repeated",
            "Messages between the proxy and a neighbour, of the 64 busiest."),
    TRANSACTIONS("transactions", Type.GAUGE, "kind", "Transactions that have not ended."),
    TRANSACTIONS_BEGAN("transactions_began_total", Type.COUNTER, "kind", "Transactions that began."),
    TRANSACTIONS_EXPIRED(
            "transactions_expired_total",
            Type.COUNTER,
            "kind",
            "Transactions that ended because the other side was silent."),
    CALLS("calls", Type.GAUGE, "state", "Calls that run."),
    CALL_ATTEMPTS("call_attempts_total", Type.COUNTER, "", "Calls that began."),
    CALLS_ENDED("calls_ended_total", Type.COUNTER, "outcome", "Calls that ended."),
    BUSIEST_HOUR("busiest_hour_call_attempts", Type.GAUGE, "", "The most calls that began in any 60 minutes (BHCA)."),
    EVENTS("events_total", Type.COUNTER, "group cause", "What was dropped, refused, limited or mirrored, by cause."),
    GROUP_MEMBER_STATE(
            "group_member_state",
            Type.GAUGE,
            "group member state",
            "Whether a member of a group is usable, down, in back-off or in its retry-after: 1 for the state that it"
                    + " has."),
    GROUP_OPTIONS(
            "group_options_total",
            Type.COUNTER,
            "group member event",
            "OPTIONS to members of groups: sent, and those of them that failed."),
    GROUP_EVENTS(
            "group_events_total",
            Type.COUNTER,
            "group event",
            "Members tried after another one had failed (failover), or although none was usable (last-resort); calls"
                    + " without a member left (exhausted)."),
    QUEUE_DELAY("queue_delay_seconds", Type.HISTOGRAM, "", "Between a message's arrival and its turn."),
    TIME_IN_PROXY("time_in_proxy_seconds", Type.HISTOGRAM, "kind", "Between a message's turn and its departure."),
    HOP_PROVISIONAL(
            "hop_provisional_seconds",
            Type.HISTOGRAM,
            "hop",
            "Between an INVITE to a next hop and its first provisional response beyond 100."),
    HOP_FINAL("hop_final_seconds", Type.HISTOGRAM, "hop", "Between an INVITE to a next hop and its final response."),
    SOCKET_BUFFER_ASKED("socket_receive_buffer_asked_bytes", Type.GAUGE, "socket", "SO_RCVBUF that was asked for."),
    SOCKET_BUFFER("socket_receive_buffer_bytes", Type.GAUGE, "socket", "SO_RCVBUF that the kernel gave."),
    SOCKET_RECEIVE_QUEUE("socket_receive_queue_bytes", Type.GAUGE, "socket", "Octets that wait to be read."),
    SOCKET_SEND_QUEUE("socket_send_queue_bytes", Type.GAUGE, "socket", "Octets that wait to be sent."),
    SOCKET_DROPS("socket_drops_total", Type.COUNTER, "socket", "Datagrams dropped because the buffer was full."),
    GC_PAUSES("gc_pauses_total", Type.COUNTER, "collector", "Pauses of the garbage collector."),
    GC_PAUSE_SECONDS("gc_pause_seconds_total", Type.COUNTER, "collector", "All pauses together."),
    GC_LONGEST("gc_longest_pause_seconds", Type.GAUGE, "collector", "The longest pause since the start."),
    HEAP_USED("heap_used_bytes", Type.GAUGE, "", "Heap that is used, garbage included."),
    HEAP("heap_committed_bytes", Type.GAUGE, "", "Heap that the virtual machine has of the system."),
    THREAD_CPU("thread_cpu_seconds_total", Type.COUNTER, "thread mode", "Processor time of threads, by name.");

    private static final String PREFIX = "offhook_proxy_";

    private final String suffix;
    private final Type type;
    private final String labels;
    private final String help;

    ProxyMetric(String suffix, Type type, String labels, String help) {
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
