package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.offhook.packet.Endpoint;
import io.offhook.packet.FrameBatch;
import io.offhook.testkit.traffic.Frame;
import io.offhook.testkit.traffic.Link;
import io.offhook.testkit.traffic.Recorder;
import io.offhook.testkit.traffic.Tap;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** RTP, TCP and what is of no interest is decoded without allocation, once the lists of events have grown. */
class DecoderAllocationTest {
    private static final int ROUNDS = 300;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final FrameDecoder decoder = new FrameDecoder();
    private final BatchEvents events = new BatchEvents();

    private long allocatedFor(List<Frame> frames) {
        FrameBatch batch = new FrameBatch(frames.size());
        new MemorySource(frames, frames.size()).next(batch);
        rounds(batch, 2_000);
        long thread = Thread.currentThread().threadId();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            long before = threads.getThreadAllocatedBytes(thread);
            rounds(batch, ROUNDS);
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        return least;
    }

    private void rounds(FrameBatch batch, int rounds) {
        for (int i = 0; i < rounds; i++) {
            events.clear();
            decoder.decode(batch, events);
        }
    }

    private int rtpEvents() {
        int sum = 0;
        for (var shard : events.rtp) {
            sum += shard.size();
        }
        return sum;
    }

    private static List<Frame> rtp(boolean ipv6, Link link) {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            frames.addAll(Frames.rtp(i, 160, ipv6, tap -> tap.link(link)));
        }
        return frames;
    }

    @Test
    void decodesRtp() {
        long allocated = allocatedFor(rtp(false, Link.ethernet().vlan(7)));
        assertThat(rtpEvents()).isEqualTo(50);
        assertThat(allocated).isLessThan(1_000);
    }

    @Test
    void decodesRtpOverIpv6() {
        long allocated = allocatedFor(rtp(true, Link.cooked()));
        assertThat(rtpEvents()).isEqualTo(50);
        assertThat(allocated).isLessThan(1_000);
    }

    @Test
    void decodesTcp() {
        Recorder recorder = new Recorder(1);
        Tap tap = new Tap(recorder, new Random(1));
        Endpoint client = Frames.SOURCE.withPort(40_000);
        Endpoint server = Frames.DESTINATION.withPort(443);
        for (int i = 0; i < 50; i++) {
            byte[] payload = new byte[i % 2 == 0 ? 0 : 700];
            tap.tcp(Frames.timeNs(i), true, client, server, 1000L + i * 350L, 1, 0x10, payload);
        }
        long allocated = allocatedFor(recorder.frames());
        int segments = 0;
        for (SegmentEvents shard : events.tcp) {
            segments += shard.end() / SegmentEvents.WIDTH;
        }
        assertThat(segments).isEqualTo(25);
        assertThat(allocated).isLessThan(1_000);
    }

    @Test
    void decodesDatagramsThatNobodyKnows() {
        List<Frame> frames = new ArrayList<>();
        Random random = new Random(3);
        for (int i = 0; i < 50; i++) {
            byte[] payload = new byte[100];
            random.nextBytes(payload);
            payload[0] = (byte) (0x40 | random.nextInt(0x40)); // neither RTP nor STUN
            byte[] frame =
                    Link.raw().frame(Frames.udp(Frames.SOURCE, Frames.DESTINATION.withPort(53), i, payload), true);
            frames.add(new Frame(Frames.timeNs(i), Link.raw().linkType(), frame, frame.length));
        }
        long allocated = allocatedFor(frames);
        assertThat(events.sip).isEmpty();
        assertThat(rtpEvents()).isZero();
        assertThat(allocated).isLessThan(1_000);
    }
}
