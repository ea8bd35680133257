package io.offhook.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.kept.KeepSettings;
import io.offhook.calls.CallReport;
import io.offhook.calls.Outcome;
import io.offhook.live.LanePlacement;
import io.offhook.live.LiveCounts;
import io.offhook.packet.FrameBatch;
import io.offhook.pcap.PacketSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.text.Times;
import io.offhook.testkit.traffic.Traffic;
import io.offhook.testkit.truth.Party;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class LiveCallSourceTest {
    private static final String CALLS = "../../samples/calls.pcap";
    /** Of that file. */
    private static final long PACKETS = 4501;

    private static final View VIEW = new View(Times.of(true), true);

    private static LiveCallSource source(int remembered, LiveCounts counts) {
        return source(CALLS, remembered, counts, null);
    }

    private static LiveCallSource source(
            String file, int remembered, LiveCounts counts, @Nullable LivePackets packets) {
        LiveCallSource source = new LiveCallSource(
                new FileOnTheWire(CaptureFiles.open(file), counts),
                "eth7",
                () -> false,
                VIEW,
                LanePlacement.anywhere(),
                2,
                remembered);
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(2).withKeptCalls(20_000);
        source.start(options.withMedia(options.media().withIntervals(true)), packets);
        return source;
    }

    @Test
    void dropsAreInSightOnEveryPage() {
        try (Walkthrough walk =
                Walkthrough.of(source(100, new LiveCounts(70_000, 60_000, 0, 4_321, 7, 0)), VIEW, 120, 40)) {
            String drops = "dropped by kernel 7, ring 4,321, budget 0";
            walk.untilShown("12 calls").untilShown(drops);
            walk.press(Key.Kind.ENTER).untilShown("sip:alice@example.com").untilShown(drops);
            walk.press(Key.Kind.ENTER).untilShown("message 1 of 7").untilShown(drops);
            walk.press(Key.Kind.ESCAPE).type("t").untilShown("streams of").untilShown(drops);
            walk.type("?").untilShown("Everywhere").untilShown(drops);
        }
    }

    @Test
    void theOldestCallsGoFirstAndThatIsSaid() {
        try (Walkthrough walk = Walkthrough.of(source(5, LiveCounts.NONE), VIEW, 120, 20)) {
            walk.untilShown("the oldest 7 calls forgotten: memory is bounded");
            assertThat(walk.page())
                    .contains(": 5 calls", "   8 ", "  12 ", "ivan", "walter")
                    .doesNotContain("alice", "carol           dave");
        }
    }

    @Test
    void withoutPacketsTextIsWritten(@TempDir Path folder) throws Exception {
        try (LiveCallSource source = source(100, LiveCounts.NONE)) {
            Walkthrough walk = Walkthrough.of(source, VIEW, 120, 20).untilShown("12 calls");
            List<CallReport> calls = source.state().result().calls();
            assertThat(source.save(calls, folder.resolve("calls.pcapng"))).isCompletedExceptionally();
            Path text = folder.resolve("calls.txt");
            assertThat(source.save(calls, text).join()).contains("12 calls written to");
            assertThat(Files.readString(text)).contains("alice", "INVITE");
            walk.close();
        }
    }

    /** What is written of live calls is, packet by packet, what is written of them when they are read from the file. */
    @ParameterizedTest
    @ValueSource(strings = {"pcapng", "pcap"})
    void savesThePacketsOfLiveCalls(String format, @TempDir Path folder) throws Exception {
        Path live = folder.resolve("live." + format);
        try (LivePackets packets = LivePackets.open(KeepSettings.LEAST_BYTES, null);
                LiveCallSource source = source(CALLS, 100, LiveCounts.NONE, packets)) {
            Walkthrough walk = Walkthrough.of(source, VIEW, 160, 20).untilShown("12 calls");
            until(() -> source.state().result().capture().packets() == PACKETS);
            walk.type(" ").press(Key.Kind.END).type(" ");
            assertThat(walk.page()).contains("2 selected");
            save(walk, live);
            walk.untilShown("packets of 2 calls written to");
            assertThat(walk.page()).doesNotContain("gone");
            walk.close();
        }
        Path read = folder.resolve("read." + format);
        try (Walkthrough walk = Walkthrough.of(160, 20, CALLS)) {
            walk.type(" ").press(Key.Kind.END).type(" ");
            save(walk, read);
            walk.untilShown("packets of 2 calls written to");
        }
        assertThat(frames(live)).isEqualTo(frames(read)).hasSizeGreaterThan(300);
    }

    @Test
    void savesAScenarioOfALiveCall(@TempDir Path folder) throws Exception {
        Path scenario = folder.resolve("live.sipp");
        try (LivePackets packets = LivePackets.open(KeepSettings.LEAST_BYTES, null);
                LiveCallSource source = source(CALLS, 100, LiveCounts.NONE, packets)) {
            until(() -> source.state().result().capture().packets() == PACKETS);
            List<CallReport> first = source.state().result().calls().subList(0, 1);
            assertThat(source.save(first, scenario).join()).isEqualTo("1 sipp scenario written to " + scenario);
        }
        assertThat(Files.readString(scenario.resolve("caller.xml"))).contains("INVITE", "play_pcap_audio");
    }

    /** The first call is over before 20 MB of others come, of which 16 are kept; the others began before and go on. */
    @Test
    void saysInWordsWhatHasGone(@TempDir Path folder) throws Exception {
        Traffic traffic = new Traffic(7);
        traffic.call(call -> call.from("early").to("bird").completed(Party.CALLER, 1000));
        for (int i = 0; i < 3; i++) {
            traffic.at(5_000).call(call -> call.from("late").to("riser").completed(Party.CALLER, 400_000));
        }
        Path file = traffic.capture().writeTo(folder.resolve("long.pcap"));
        assertThat(Files.size(file)).isGreaterThan(KeepSettings.LEAST_BYTES + (2L << 20));
        try (LivePackets packets = LivePackets.open(KeepSettings.LEAST_BYTES, null);
                LiveCallSource source = source(file.toString(), 100, LiveCounts.NONE, packets)) {
            Walkthrough walk = Walkthrough.of(source, VIEW, 250, 20);
            until(() -> source.state().result().calls().stream().noneMatch(call -> call.outcome() == Outcome.ONGOING)
                    && source.state().result().calls().size() == 4);
            walk.until(page -> page.matches("(?s).*; packets until [0-9:.]+ gone \\(the last 16.8 MB are kept\\).*"));
            save(walk, folder.resolve("early.pcapng"));
            walk.until(page ->
                    page.matches("(?s).*all packets of 1 call have gone: the last 16.8 MB are kept, those after "
                            + "[0-9:.]+; offhook capture -i eth7 -w FILE keeps all.*"));
            assertThat(folder.resolve("early.pcapng")).doesNotExist();
            walk.press(Key.Kind.DOWN);
            Path late = folder.resolve("late.pcapng");
            save(walk, late);
            walk.until(
                    page -> page.matches("(?s).* packets of 1 call written to .*; of 1 call packets until [0-9:.]+ have"
                            + " gone: the last 16.8 MB are kept.*"));
            assertThat(frames(late)).hasSizeGreaterThan(1000);
            walk.close();
        }
    }

    @Test
    void leavesNoPacketsBehind() throws Exception {
        Path kept;
        try (LivePackets packets = LivePackets.open(KeepSettings.LEAST_BYTES, null);
                LiveCallSource source = source(CALLS, 100, LiveCounts.NONE, packets)) {
            until(() -> source.state().result().capture().packets() == PACKETS);
            kept = packets.folder();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                    .isEqualTo("rwx------");
        }
        assertThat(kept).doesNotExist();
    }

    private static void save(Walkthrough walk, Path file) {
        walk.press(Key.function(2));
        assertThat(walk.page()).contains("calls.pcapng");
        for (int i = 0; i < "calls.pcapng".length(); i++) {
            walk.press(Key.Kind.BACKSPACE);
        }
        walk.type(file.toString()).press(Key.Kind.ENTER);
    }

    private static void until(BooleanSupplier wanted) {
        long startNs = System.nanoTime();
        while (!wanted.getAsBoolean()) {
            assertThat(System.nanoTime() - startNs).isLessThan(60_000_000_000L);
            Thread.onSpinWait();
        }
    }

    /** Time, length and bytes of each packet of a file. */
    private static List<String> frames(Path file) {
        List<String> frames = new ArrayList<>();
        FrameBatch batch = new FrameBatch(1000);
        try (PacketSource source = CaptureFiles.open(file.toString())) {
            while (source.next(batch)) {
                for (int i = 0; i < batch.count(); i++) {
                    byte[] bytes = batch.segmentOf(i)
                            .asSlice(batch.offset(i), batch.capturedLength(i))
                            .toArray(ValueLayout.JAVA_BYTE);
                    frames.add(batch.timestampNs(i) + " " + batch.wireLength(i) + " "
                            + HexFormat.of().formatHex(bytes));
                }
            }
        }
        return frames;
    }

    @Test
    void messagesStayWithinTheirLimit() {
        KeptMessages kept = new KeptMessages(20_000);
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(1).withListener(kept);
        List<CallReport> calls = Analysis.run(CaptureFiles.open(CALLS), options).calls();
        assertThat(kept.forgotten()).isPositive();
        assertThat(kept.of(List.of(calls.getFirst()))).isEmpty();
        assertThat(kept.of(List.of(calls.getLast()))).isNotEmpty();
    }
}
