/**
 * Beyond one machine: probes, the events that they put on Apache Kafka as {@code src/main/proto} describes them, the spool that
 * keeps them until they are acknowledged, and calls made of events. Exports nothing yet, since nothing requires it.
 */
module io.offhook.cluster {
    requires com.google.protobuf;
    requires kafka.clients;
    requires io.offhook.analysis;
    requires io.offhook.calls;
    requires io.offhook.cli;
    requires io.offhook.live;
    requires io.offhook.packet;
    requires io.offhook.pcap;
    requires io.offhook.report;
    requires io.offhook.sip;
    requires static org.jspecify;
}
