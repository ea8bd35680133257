/**
 * What probes put on Apache Kafka: the events, as {@code src/main/proto} describes them, and the spool that keeps them until
 * they are acknowledged. Exports nothing yet, since nothing requires it.
 */
module io.offhook.cluster {
    requires com.google.protobuf;
    requires kafka.clients;
    requires io.offhook.packet;
    requires io.offhook.sip;
    requires static org.jspecify;
}
