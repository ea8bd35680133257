package io.offhook.analysis;

import io.offhook.calls.event.IcmpEvent;
import io.offhook.calls.event.MediaReport;
import io.offhook.calls.event.RtcpPacket;
import io.offhook.calls.event.SipPacket;
import io.offhook.calls.event.TrafficSink;
import io.offhook.rtp.RtpRows;
import java.util.List;

/** Passes events to all sinks of traffic, and contains what each of them throws. */
final class TrafficFan {
    private final TrafficSink[] sinks;
    private final Failures failures;

    TrafficFan(List<TrafficSink> sinks, Failures failures) {
        this.sinks = sinks.toArray(TrafficSink[]::new);
        this.failures = failures;
    }

    void begin(long firstNs) {
        for (TrafficSink sink : sinks) {
            try {
                sink.begin(firstNs);
            } catch (RuntimeException e) {
                contain(sink, Failures.Kind.CONSUMER, e, 1, firstNs);
            }
        }
    }

    void sip(int shard, SipPacket message) {
        for (TrafficSink sink : sinks) {
            try {
                sink.sip(shard, message);
            } catch (RuntimeException e) {
                contain(sink, Failures.Kind.MESSAGE, e, message.frameNumber(), message.timestampNs());
            }
        }
    }

    /** @param lastFrame of the round */
    void publish(long lastFrame, long lastNs) {
        for (TrafficSink sink : sinks) {
            try {
                sink.publish();
            } catch (RuntimeException e) {
                contain(sink, Failures.Kind.CONSUMER, e, lastFrame, lastNs);
            }
        }
    }

    void rtcp(RtcpPacket packet) {
        for (TrafficSink sink : sinks) {
            try {
                sink.rtcp(packet);
            } catch (RuntimeException e) {
                contain(sink, Failures.Kind.MEDIA, e, packet.frameNumber(), packet.timestampNs());
            }
        }
    }

    void icmp(IcmpEvent event) {
        for (TrafficSink sink : sinks) {
            try {
                sink.icmp(event);
            } catch (RuntimeException e) {
                contain(sink, Failures.Kind.MEDIA, e, event.frameNumber(), event.timestampNs());
            }
        }
    }

    void measured(MediaReport report) {
        for (TrafficSink sink : sinks) {
            try {
                sink.measured(report);
            } catch (RuntimeException e) {
                contain(sink, Failures.Kind.MEDIA, e, report.frameNumber(), report.timestampNs());
            }
        }
    }

    void rtp(int shard, RtpRows rows) {
        if (rows.size() == 0) {
            return;
        }
        for (TrafficSink sink : sinks) {
            try {
                sink.rtp(shard, rows);
            } catch (RuntimeException e) {
                contain(sink, Failures.Kind.MEDIA, e, rows.frame(0), rows.arrivalNs(0));
            }
        }
    }

    /** @param lastFrame of the round */
    void endOfRound(long latestNs, long lastFrame) {
        for (TrafficSink sink : sinks) {
            try {
                sink.endOfRound(latestNs);
            } catch (RuntimeException e) {
                contain(sink, Failures.Kind.CONSUMER, e, lastFrame, latestNs);
            }
        }
    }

    private void contain(TrafficSink sink, Failures.Kind kind, RuntimeException thrown, long frame, long timestampNs) {
        RunEndedException.throwIf(sink.endsRun(thrown), thrown);
        failures.add(kind, thrown, frame, timestampNs);
    }
}
