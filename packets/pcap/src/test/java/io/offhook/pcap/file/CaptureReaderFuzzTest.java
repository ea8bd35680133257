package io.offhook.pcap.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PcapNgBlock;
import io.offhook.pcap.reader.FaultList;
import io.offhook.pcap.reader.InterfaceTable;
import io.offhook.pcap.reader.MappedInput;
import io.offhook.pcap.reader.PcapNgReader;
import io.offhook.pcap.reader.PcapReader;
import io.offhook.pcap.reader.RecordReader;
import io.offhook.pcap.reader.SnoopReader;
import io.offhook.pcap.reader.TimestampScale;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whatever the bytes, a capture ends without an exception, a pipe gives the frames that memory gives, and so does what is
 * written of it anew.
 */
class CaptureReaderFuzzTest {

    @FuzzTest
    void readsAnyBytes(byte[] bytes) {
        Reading piped = Reading.streamed(new ByteArrayInputStream(bytes), 7);
        for (ReadFrame frame : piped.frames()) {
            assertThat(frame.timestampNs()).isBetween(0L, TimestampScale.MOST_NS);
            assertThat(frame.wireLength()).isNotNegative();
        }
        FaultList faults = new FaultList();
        RecordReader reader = readerFor(bytes, faults);
        if (reader != null) {
            assertThat(readMapped(bytes, reader, faults)).isEqualTo(piped.frames());
            assertThat(faults.snapshot()).hasSameSizeAs(piped.faults());
            Reading again = Reading.streamed(new ByteArrayInputStream(rewritten(bytes)), 7);
            assertThat(again.faults()).isEmpty();
            assertThat(onOneInterface(again.frames())).isEqualTo(onOneInterface(piped.frames()));
        }
    }

    /** All that can be read of it, as pcapng. */
    private static byte[] rewritten(byte[] bytes) {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (CaptureRewrite rewrite = CaptureRewrite.open(List.of("-"), new ByteArrayInputStream(bytes))) {
            rewrite.to(Channels.newChannel(written));
        }
        return written.toByteArray();
    }

    private static List<ReadFrame> onOneInterface(List<ReadFrame> frames) {
        return frames.stream().map(ReadFrame::onOneInterface).toList();
    }

    private static @Nullable RecordReader readerFor(byte[] bytes, FaultList faults) {
        if (bytes.length < 8) {
            return null;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        InterfaceTable interfaces = new InterfaceTable();
        int magic = buffer.getInt(0);
        if (magic == PcapNgBlock.SECTION_HEADER) {
            return new PcapNgReader("-", interfaces, faults);
        }
        PcapReader pcap = PcapReader.of("-", magic, interfaces, faults);
        return pcap != null
                ? pcap
                : SnoopReader.of("-", buffer.order(ByteOrder.BIG_ENDIAN).getLong(0), interfaces, faults);
    }

    private static List<ReadFrame> readMapped(byte[] bytes, RecordReader reader, FaultList faults) {
        List<ReadFrame> frames = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(bytes.length);
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, 0, bytes.length);
            MappedInput input = new MappedInput("-", segment, reader, faults);
            FrameBatch batch = new FrameBatch(100);
            while (true) {
                batch.clear(frames.size() + 1L);
                input.fill(batch);
                if (batch.count() == 0) {
                    return frames;
                }
                for (int i = 0; i < batch.count(); i++) {
                    frames.add(ReadFrame.of(batch, i));
                }
            }
        }
    }
}
