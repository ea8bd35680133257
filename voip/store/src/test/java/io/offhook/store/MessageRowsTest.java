package io.offhook.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.pcap.file.CaptureFileSource;
import io.offhook.pcap.file.CaptureFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A batch that is large enough for two threads is written as a small one is. */
@Timeout(120)
class MessageRowsTest {
    private static final int MANY = 30_001;
    private static final MessageFeed FEED = new MessageFeed("calls.pcap");
    private static final List<CapturedMessage> CAPTURED = new ArrayList<>();

    @TempDir
    private Path folder;

    @BeforeAll
    static void capture() throws IOException {
        try (CaptureFileSource file = CaptureFiles.open(Path.of("../../samples/calls.pcap"))) {
            Analysis.run(
                    file,
                    AnalysisOptions.defaults()
                            .withListener((message, packet, copy) -> CAPTURED.add(CapturedMessage.of(
                                    packet,
                                    copy,
                                    FEED,
                                    Arrays.copyOfRange(
                                            message.octets(),
                                            message.offset(),
                                            message.offset() + message.length())))));
        }
    }

    private CallStore open() throws StoreException {
        return CallStore.open(folder.resolve("calls.duckdb"), StoreSettings.standard());
    }

    private static CapturedMessage later(CapturedMessage message, long ns, byte[] octets) {
        return new CapturedMessage(
                message.feed(),
                message.timestampNs() + ns,
                message.frameNumber(),
                message.source(),
                message.destination(),
                message.transport(),
                message.copy(),
                octets);
    }

    private static Batch batch(int count) {
        Batch batch = new Batch();
        for (int i = 0; i < count; i++) {
            CapturedMessage message = CAPTURED.get(i % CAPTURED.size());
            batch.add(later(message, i * 1_000L, message.octets()));
        }
        return batch;
    }

    @Test
    void eachMessageOfALargeBatchIsThereWithItsText() throws Exception {
        Batch batch = batch(MANY);
        try (CallStore store = open()) {
            store.write(batch);
            List<String> rows = Rows.of(
                    store,
                    "SELECT epoch_ns(captured_at), frame_number, call_id, text FROM messages"
                            + " JOIN message_texts USING (id, captured_at) ORDER BY captured_at, frame_number");
            List<String> expected = new ArrayList<>();
            for (CapturedMessage message : batch.messages()) {
                String text = new String(message.octets(), StandardCharsets.UTF_8);
                expected.add(message.timestampNs() + "|" + message.frameNumber() + "|" + callId(message) + "|" + text);
            }
            assertThat(rows).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static String callId(CapturedMessage message) {
        return new String(message.octets(), StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> line.startsWith("Call-ID: "))
                .findFirst()
                .orElseThrow()
                .substring("Call-ID: ".length());
    }

    @Test
    void messagesThatAreTheSameInBothHalvesHaveIdsOfTheirOwn() throws Exception {
        Batch batch = batch(MANY);
        batch.add(batch.messages().get(1));
        batch.add(batch.messages().get(1));
        batch.add(batch.messages().get(MANY - 1));
        try (CallStore store = open()) {
            store.write(batch);
            assertThat(Rows.of(
                            store,
                            "SELECT count(*), count(DISTINCT id), (SELECT count(DISTINCT id) FROM message_texts)"
                                    + " FROM messages"))
                    .containsExactly("%1$d|%1$d|%1$d".formatted(MANY + 3));
        }
    }

    @Test
    void octetsThatAreNoTextAreKeptBesideIt() throws Exception {
        Batch batch = new Batch();
        byte[] octets = CAPTURED.getFirst().octets().clone();
        octets[octets.length - 1] = (byte) 0xff;
        batch.add(later(CAPTURED.getFirst(), 0, octets));
        batch.add(CAPTURED.getLast());
        try (CallStore store = open()) {
            store.write(batch);
            assertThat(Rows.of(
                            store,
                            "SELECT right(text, 1), octet_length(octets), octets IS NULL FROM message_texts"
                                    + " ORDER BY captured_at"))
                    .containsExactly(
                            "\ufffd|" + octets.length + "|false",
                            (char) CAPTURED.getLast()
                                            .octets()[CAPTURED.getLast().octets().length - 1] + "|null|true");
        }
    }

    @Test
    void nothingIsWrittenWhereOneHalfFails() throws Exception {
        try (CallStore store = open()) {
            for (int at : new int[] {0, MANY - 1}) {
                Batch batch = batch(MANY);
                batch.messages().set(at, unfit(batch.messages().get(at)));
                assertThatThrownBy(() -> store.write(batch)).isInstanceOf(RuntimeException.class);
                assertThat(Rows.of(
                                store, "SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM message_texts)"))
                        .containsExactly("0");
            }
            store.write(batch(MANY));
            assertThat(Rows.of(store, "SELECT count(*) FROM messages")).containsExactly("" + MANY);
        }
    }

    @SuppressWarnings("NullAway") // what cannot be, to make it fail
    private static CapturedMessage unfit(CapturedMessage message) {
        return new CapturedMessage(
                message.feed(),
                message.timestampNs(),
                message.frameNumber(),
                message.source(),
                message.destination(),
                null,
                message.copy(),
                message.octets());
    }
}
