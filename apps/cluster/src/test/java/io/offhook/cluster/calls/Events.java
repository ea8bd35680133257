package io.offhook.cluster.calls;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.calls.StreamReport;
import io.offhook.cluster.event.Event;
import io.offhook.cluster.event.Heartbeat;
import io.offhook.cluster.file.EventFile;
import io.offhook.cluster.file.EventFileWriter;
import io.offhook.cluster.probe.Probe;
import io.offhook.pcap.PacketSource;
import io.offhook.report.CallFields;
import io.offhook.report.StreamFields;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import io.offhook.testkit.traffic.Frame;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Probes and calls of events, in memory. */
public final class Events {
    private Events() {}

    /** What a probe writes of a capture. */
    public static byte[] probed(Supplier<? extends PacketSource> capture, AnalysisOptions options, String name) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        try (PacketSource source = capture.get();
                EventFileWriter file = new EventFileWriter(octets, name, 0x1234_5678_9abcL + name.hashCode())) {
            Probe probe = new Probe(file, options.keptCalls(), new Heartbeat.About("test", "here", ""), () -> 0);
            AnalysisResult result = Analysis.run(source, options, probe);
            probe.finish(result, source.endNs());
            if (probe.unsent() > 0 || probe.sent() != file.events()) {
                throw new IllegalStateException(probe.unsent() + " events were not sent");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return octets.toByteArray();
    }

    /** What a probe writes of frames, a few of them a round. */
    public static byte[] probed(List<Frame> frames, AnalysisOptions options, String name) {
        return probed(() -> new SmallRounds(frames), options, name);
    }

    /** Files of events, read one after the other. */
    public static EventCalls read(byte[]... files) {
        EventCalls calls = new EventCalls();
        for (byte[] octets : files) {
            try (EventFile file = new EventFile(new ByteArrayInputStream(octets))) {
                calls.read(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return calls;
    }

    /** The events of a file. */
    public static List<Event> list(byte[] octets) {
        List<Event> events = new ArrayList<>();
        try (EventFile file = new EventFile(new ByteArrayInputStream(octets))) {
            for (Event event = file.next(); event != null; event = file.next()) {
                events.add(event);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return events;
    }

    /** Calls and streams, as {@code offhook calls --format json} prints them, one a line. */
    public static String json(List<CallReport> calls, List<StreamReport> streams) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonFields json = new JsonFields(bytes, TimeForm.EPOCH)) {
            json.object().array("calls");
            for (CallReport call : calls) {
                json.line().object();
                CallFields.writeJson(json, call);
                json.end();
            }
            json.line().end().array("streams");
            for (StreamReport stream : streams) {
                json.line().object();
                StreamFields.writeJson(json, stream);
                json.end();
            }
            json.line().end().end();
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
