package io.offhook.testkit.traffic;

import io.offhook.testkit.truth.CallTruth;
import io.offhook.testkit.truth.RegistrationTruth;
import io.offhook.testkit.truth.RtcpTruth;
import io.offhook.testkit.truth.StreamTruth;
import io.offhook.testkit.truth.Truth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Generates a capture with known content: add calls and other traffic, then call {@link #capture}. Equal seeds and
 * calls give equal bytes. Not thread-safe.
 */
public final class Traffic {
    /** 2023-11-14 22:13:20 UTC. */
    public static final long START_NS = 1_700_000_000_000_000_000L;

    private static final long MS = 1_000_000;

    private record Written(CallPlan plan, CallLedger ledger, String caller, String callee, List<RtcpTruth> rtcp) {}

    private final Random random;
    private final Recorder recorder;
    private final StreamLedgers streams = new StreamLedgers();
    private final Tallies tallies = new Tallies();
    private final List<Written> calls = new ArrayList<>();
    private final List<RegistrationTruth> registrations = new ArrayList<>();
    private final Background background;
    private long nextNs = START_NS;
    private long spacingMs = 350;
    private int number;

    /** Creates traffic with times in microseconds, as in most captures. */
    public Traffic(long seed) {
        this(seed, 1000);
    }

    /** @param resolutionNs the resolution to which times are rounded: that of the capture */
    public Traffic(long seed, long resolutionNs) {
        random = new Random(seed);
        recorder = new Recorder(resolutionNs);
        background = new Background(random, recorder, streams, tallies);
    }

    /** Sets the time from the start of one call to that of the next; 350 ms by default. */
    public Traffic every(long milliseconds) {
        spacingMs = milliseconds;
        return this;
    }

    /** Starts the next call {@code milliseconds} after the beginning of the capture. */
    public Traffic at(long milliseconds) {
        nextNs = START_NS + milliseconds * MS;
        return this;
    }

    /** As {@link #at}, in microseconds. */
    public Traffic atMicros(long microseconds) {
        nextNs = START_NS + microseconds * 1000;
        return this;
    }

    /** The time from the beginning of the capture to the last packet so far, in microseconds. */
    public long lengthMicros() {
        return Math.max(0, recorder.latestNs() - START_NS) / 1000;
    }

    /** Writes a call. */
    public Traffic call(Consumer<CallPlan> script) {
        CallPlan plan = new CallPlan();
        script.accept(plan);
        long start = nextNs;
        nextNs += spacingMs * MS;
        CallParts parts = CallParts.assemble(random, plan, number++, start, recorder, streams, tallies);
        CallRun run = new CallRun(random, plan, parts, start);
        plan.steps.forEach(step -> step.accept(run));
        plan.steps.clear();
        calls.add(new Written(
                plan,
                parts.ledger(),
                parts.caller().user,
                parts.callee().user,
                parts.media().rtcpTruth()));
        tallies.sip(
                parts.ledger().callId(),
                parts.ledger().messages(),
                parts.ledger().requests());
        tallies.fragments += parts.tap().fragments();
        return this;
    }

    /** Adds a REGISTER that is challenged with 401 and then accepted, or rejected if {@code status} is not 200. */
    public Traffic registration(String user, int status) {
        return registration(user, status, null);
    }

    /** As {@link #registration(String, int)}, by a client whose requests have this User-Agent; none if it is null. */
    public Traffic registration(String user, int status, @Nullable String software) {
        registrations.add(background.registration(nextNs, number++, user, status, software));
        nextNs += spacingMs * MS;
        return this;
    }

    /** Adds SIP outside of calls: OPTIONS, SUBSCRIBE, NOTIFY, PUBLISH, MESSAGE, each with its response. */
    public Traffic otherSip(int exchanges) {
        for (int i = 0; i < exchanges; i++) {
            background.otherSip(nextNs + i * 73L * MS, number++);
        }
        return this;
    }

    /**
     * Adds packets other than VoIP, spread over {@code durationMs}: TCP with data, QUIC, DNS, NTP, ICMP echo, ARP,
     * SCTP.
     */
    public Traffic noise(int packets, long durationMs) {
        background.noise(START_NS, packets, durationMs);
        return this;
    }

    /** Adds RTP without signalling, one stream each way. */
    public Traffic mediaOnly(SentCodec codec, long milliseconds) {
        background.mediaOnly(nextNs, number++, codec, milliseconds);
        nextNs += spacingMs * MS;
        return this;
    }

    /** Adds a TLS connection to SIP's port 5061, whose signalling cannot be read. */
    public Traffic encryptedSignalling() {
        background.encryptedSignalling(nextNs, number++);
        nextNs += spacingMs * MS;
        return this;
    }

    /** Generates calls of all kinds at random. */
    public static Traffic random(long seed, int calls) {
        Traffic traffic = new Traffic(seed).every(120);
        Scenarios.mix(traffic, new Random(seed ^ 0x5deece66dL), calls);
        return traffic;
    }

    /** Returns a little-endian pcap with microseconds. */
    public Capture capture() {
        return capture(CaptureWriter.pcap());
    }

    public Capture capture(CaptureWriter writer) {
        List<Frame> frames = recorder.frames();
        return new Capture(writer.write(frames), frames, truth(frames));
    }

    /** Writes a capture of any size to a file, with one copy of the packets outside the heap. Returns its truth. */
    public Truth write(CaptureWriter writer, Path file) throws IOException {
        List<Frame> frames = recorder.framesOnce();
        writer.write(frames, file);
        return truth(frames);
    }

    private Truth truth(List<Frame> frames) {
        long end = frames.isEmpty() ? START_NS : frames.getLast().timestampNs();
        List<StreamTruth> all = streams.truth();
        Map<String, List<StreamTruth>> byCall = new HashMap<>();
        for (StreamTruth stream : all) {
            if (stream.callId() != null) {
                byCall.computeIfAbsent(stream.callId(), id -> new ArrayList<>()).add(stream);
            }
        }
        List<CallTruth> truths = new ArrayList<>();
        List<RtcpTruth> rtcp = new ArrayList<>();
        for (Written call : calls) {
            List<StreamTruth> own = byCall.getOrDefault(call.ledger().callId(), List.of());
            truths.add(call.ledger().truth(call.plan(), call.caller(), call.callee(), own, end));
            rtcp.addAll(call.rtcp());
        }
        return new Truth(
                truths,
                all,
                rtcp,
                List.copyOf(registrations),
                frames.size(),
                tallies.sipRequests,
                tallies.sipResponses,
                tallies.callIds.size(),
                tallies.rtpPackets,
                tallies.rtcpPackets,
                tallies.fragments,
                tallies.icmpErrors,
                tallies.stunPackets,
                tallies.dtlsPackets,
                tallies.t38Packets,
                tallies.encryptedSignalling);
    }
}
