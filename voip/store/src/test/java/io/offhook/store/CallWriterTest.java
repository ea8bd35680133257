package io.offhook.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.analysis.AnalysisResult;
import io.offhook.calls.CallReport;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.sip.SipMessageView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CallWriterTest {
    private static final WriterSettings SMALL = new WriterSettings(1 << 20, 1000);

    @TempDir
    private Path folder;

    private CallStore open() throws StoreException {
        return CallStore.open(folder.resolve("calls.duckdb"), StoreSettings.standard());
    }

    private static AnalysisResult analyse(CallWriter writer) throws IOException {
        try (CaptureFileSource file = CaptureFiles.open(Path.of("../../samples/calls.pcap"))) {
            return Analysis.run(file, AnalysisOptions.defaults().withListener(writer.messages("calls.pcap")));
        }
    }

    @Test
    void writesWhatACaptureFinds() throws Exception {
        try (CallStore store = open();
                CallWriter writer = CallWriter.start(store, WriterSettings.standard())) {
            AnalysisResult found = analyse(writer);
            writer.calls(found.calls(), "calls.pcap");
            writer.registrations(found.registrations(), found.capture().lastNs(), "calls.pcap");
            writer.drops(List.of(new CaptureDrop(found.capture().lastNs(), "eth0", "kernel", 7)), "eth0");
            assertThat(writer.flush(60_000)).isTrue();

            long messages = found.capture().sipRequests() + found.capture().sipResponses();
            assertThat(Rows.of(
                            store,
                            "SELECT (SELECT count(*) FROM calls), (SELECT count(*) FROM messages),"
                                    + " (SELECT count(*) FROM message_texts), (SELECT count(*) FROM registrations),"
                                    + " (SELECT sum(count)::BIGINT FROM drops)"))
                    .containsExactly(found.calls().size() + "|" + messages + "|" + messages + "|"
                            + found.registrations().size() + "|7");
            assertThat(writer.counts().written().messages()).isEqualTo(messages);
            assertThat(writer.counts().lastFailure()).isNull();
        }
    }

    @Test
    void everyMessageHasItsTextAndItsCall() throws Exception {
        try (CallStore store = open();
                CallWriter writer = CallWriter.start(store, WriterSettings.standard())) {
            AnalysisResult found = analyse(writer);
            writer.calls(found.calls(), "calls.pcap");
            assertThat(writer.flush(60_000)).isTrue();

            List<String> expected = new ArrayList<>();
            for (CallReport call : found.calls()) {
                expected.add(call.callId() + "|" + call.counts().messages());
            }
            assertThat(Rows.of(
                            store,
                            "SELECT calls.call_id, count(*) FROM calls JOIN dialogs ON dialogs.call = calls.id"
                                    + " JOIN messages ON messages.call_id = dialogs.call_id GROUP BY ALL"))
                    .containsExactlyInAnyOrderElementsOf(expected);
            List<String> texts =
                    Rows.of(store, "SELECT text, call_id FROM message_texts JOIN messages USING (id, captured_at)");
            SipMessageView view = new SipMessageView();
            for (String row : texts) {
                byte[] text = row.getBytes(StandardCharsets.UTF_8);
                view.wrap(text, 0, text.length);
                assertThat(row).endsWith("|" + view.callId());
            }
        }
    }

    @Test
    void registrationsThatStayAsTheyAreAreWrittenOnce() throws Exception {
        try (CallStore store = open();
                CallWriter writer = CallWriter.start(store, WriterSettings.standard())) {
            AnalysisResult found = analyse(writer);
            for (int i = 0; i < 3; i++) {
                writer.registrations(found.registrations(), found.capture().lastNs(), "calls.pcap");
            }
            assertThat(writer.flush(60_000)).isTrue();
            assertThat(writer.counts().written().registrations())
                    .isEqualTo(found.registrations().size());
        }
    }

    /** A disk that is full, until it is not. */
    private static final class FullDisk implements BatchTarget {
        final AtomicBoolean full = new AtomicBoolean(true);
        final CountDownLatch failures = new CountDownLatch(2);
        final List<Batch> written = new ArrayList<>();

        @Override
        public synchronized void write(Batch batch) throws StoreException {
            if (full.get()) {
                failures.countDown();
                throw new StoreException("no space", new IOException());
            }
            written.add(batch);
        }

        synchronized int messages() {
            return written.stream().mapToInt(batch -> batch.messages().size()).sum();
        }

        synchronized long dropped(String cause) {
            return written.stream()
                    .flatMap(batch -> batch.drops().stream())
                    .filter(row -> row.drop().cause().equals(cause))
                    .mapToLong(row -> row.drop().count())
                    .sum();
        }
    }

    @Test
    void aFullDiskCostsWhatTheQueueHasNoRoomFor() throws Exception {
        FullDisk disk = new FullDisk();
        List<CallReport> calls = SampleCalls.all();
        int given = 0;
        try (CallWriter writer = CallWriter.start(disk, SMALL)) {
            writer.calls(calls, "eth0");
            while (writer.counts().lost().messages() < 10) {
                analyse(writer);
                given++;
            }
            disk.failures.await();
            assertThat(writer.counts().failedWrites()).isPositive();
            assertThat(writer.counts().lastFailure()).isEqualTo("no space");
            disk.full.set(false);
            assertThat(writer.flush(60_000)).isTrue();
            assertThat(writer.counts().written().calls()).isEqualTo(calls.size());
            assertThat(writer.counts().lost().calls()).isZero();
            assertThat(writer.counts().lost().messages()).isPositive();
            assertThat(writer.counts().lastFailure()).isNull();
            long perReading = writer.counts().written().messages()
                    + writer.counts().lost().messages();
            assertThat(perReading % given).isZero();
            assertThat(disk.messages())
                    .isEqualTo((int) writer.counts().written().messages());
        }
        assertThat(disk.dropped("messagesLost")).isPositive();
    }

    /** One batch that no disk would help. */
    @Test
    void aBatchThatCannotBeWrittenIsLostAndTheNextOneIsNot() throws Exception {
        List<Integer> written = new ArrayList<>();
        BatchTarget target = batch -> {
            boolean isPoison = batch.calls().values().stream()
                    .anyMatch(call -> call.row().call().callId().endsWith("poison"));
            if (isPoison) {
                throw new StoreException("odd value");
            }
            written.add(batch.calls().size());
        };
        CallReport call = SampleCalls.all().getFirst();
        try (CallWriter writer = CallWriter.start(target, SMALL)) {
            writer.calls(List.of(SampleCalls.renamed(call, "poison")), "eth0");
            assertThat(writer.flush(60_000)).isTrue();
            assertThat(writer.counts().lost().calls()).isEqualTo(1);
            writer.calls(List.of(call), "eth0");
            assertThat(writer.flush(60_000)).isTrue();
            assertThat(writer.counts().written().calls()).isEqualTo(1);
        }
        assertThat(written.stream().mapToInt(i -> i).sum()).isEqualTo(1);
    }

    /**
     * An analysis shows calls that changed every 500 ms, and the writer takes what waits every 250 ms, whether or not more comes: with a
     * second for the transaction, a call is in the database two seconds after it ended.
     */
    @Test
    void aCallIsWrittenSoonThoughNoOtherFollows() throws Exception {
        assertThat(CallWriter.PAUSE_NS).isLessThanOrEqualTo(500_000_000L);
        CountDownLatch written = new CountDownLatch(1);
        CallReport call = SampleCalls.all().getFirst();
        BatchTarget target = batch -> {
            if (batch.calls().containsKey(CallStore.id(call))) {
                written.countDown();
            }
        };
        try (CallWriter writer = CallWriter.start(target, SMALL)) {
            writer.calls(List.of(call), "eth0");
            written.await(); // without a flush, without another call
            assertThat(writer.counts().lost().calls()).isZero();
        }
    }

    @Test
    void closingWritesWhatWaits() throws Exception {
        List<CallReport> calls = SampleCalls.all();
        try (CallStore store = open()) {
            CallWriter writer = CallWriter.start(store, WriterSettings.standard());
            writer.calls(calls, "eth0");
            writer.close();
            assertThat(writer.counts().written().calls()).isEqualTo(calls.size());
            assertThat(Rows.of(store, "SELECT count(*) FROM calls")).containsExactly(String.valueOf(calls.size()));
        }
    }
}
