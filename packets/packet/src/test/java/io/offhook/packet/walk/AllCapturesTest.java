package io.offhook.packet.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.packet.LayerSet;
import io.offhook.packet.LayerType;
import io.offhook.packet.Protocol;
import io.offhook.packet.fields.ApplicationRecognizer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;

/** No capture makes anything throw: every frame of the shared ones is walked, told of, named and handed out. */
class AllCapturesTest {
    private static final Path CAPTURES =
            Path.of(System.getProperty("offhook.shared", "../../../shared")).resolve("captures");

    private final PacketWalker walker = new PacketWalker();
    private final PacketWalker transport = new PacketWalker();
    private final WalkInvariants invariants = new WalkInvariants();
    private final ApplicationRecognizer recognizer = new ApplicationRecognizer();
    private final long[] frames = new long[1];
    private final long[] named = new long[1];

    @Test
    void readsEveryFrame() throws IOException {
        assumeTrue(Files.isDirectory(CAPTURES), "no captures at " + CAPTURES);
        List<Path> files;
        try (Stream<Path> all = Files.walk(CAPTURES)) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(CAPTURES.resolve("truth")))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            read(file);
        }

        assertThat(frames[0]).isGreaterThan(100_000);
        assertThat(named[0]).as("SIP, RTP and RTCP are of other modules").isGreaterThan(9_000);
    }

    private void read(Path file) throws IOException {
        try {
            CaptureFrames.read(file, this::frame);
        } catch (IndexOutOfBoundsException e) {
            if (!isOfReader(e)) { // this test's reader is for whole files
                throw new AssertionError(file.toString(), e);
            }
        } catch (ZipException e) {
            assertThat(file).as("a damaged file: %s", e.getMessage()).isNotEmptyFile();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(file.toString(), e);
        }
    }

    private static boolean isOfReader(IndexOutOfBoundsException e) {
        return Stream.of(e.getStackTrace())
                .noneMatch(frame -> frame.getClassName().equals(AllCapturesTest.class.getName())
                        && frame.getMethodName().equals("frame"));
    }

    private void frame(int number, MemorySegment file, long offset, int captured, int wire, int linkType) {
        if (captured < 0 || offset + captured > file.byteSize() || captured > Walk.MAX_LENGTH) {
            return;
        }
        MemorySegment segment = file.asSlice(offset, captured); // so that a read outside of the frame throws
        int wireLength = Math.max(wire, captured);
        frames[0]++;
        walker.walk(segment, 0, captured, wireLength, linkType);
        invariants.check(walker, segment, captured, wireLength);
        Protocol application = recognizer.recognize(walker);
        if (application != null) {
            application.message(recognizer.message(), invariants);
            named[0]++;
        }
        PacketWalker.Stop fast = transport.walk(segment, 0, captured, wireLength, linkType, LayerSet.TCP_OR_UDP);
        int first = transport.layerCount() - 1;
        boolean isReached = walker.has(LayerType.TCP) || walker.has(LayerType.UDP);
        assertThat(fast == PacketWalker.Stop.REACHED).as("frame %d", number).isEqualTo(isReached);
        if (isReached) {
            assertThat(walker.layerOffset(first)).isEqualTo(transport.layerOffset(first));
        }
    }
}
