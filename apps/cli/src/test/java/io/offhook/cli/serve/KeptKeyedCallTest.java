package io.offhook.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.Analysis;
import io.offhook.analysis.AnalysisOptions;
import io.offhook.cli.Json;
import io.offhook.cli.Offhook;
import io.offhook.cli.terminal.Terminal;
import io.offhook.live.LanePlacement;
import io.offhook.pcap.file.CaptureFiles;
import io.offhook.report.fields.JsonFields;
import io.offhook.report.text.TimeForm;
import io.offhook.store.CallWriter;
import io.offhook.store.WriterSettings;
import io.offhook.web.data.CallData;
import io.offhook.web.data.KeyedCall;
import io.offhook.web.metrics.CallMetrics;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that a user adds for a call whose packets were kept: its connections of TLS are found among them. */
@Timeout(60)
class KeptKeyedCallTest {
    private static final Path SAMPLES = Path.of("../../voip/decrypt/src/test/resources/decrypt");

    @TempDir
    private Path folder;

    @Test
    void theLegInsideTlsIsFoundInTheSegments() throws Exception {
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(1).withKeptCalls(1000);
        Path capture = ProxiedCapture.write(SAMPLES.resolve("gcm128.pcap"), folder);
        try (ServedStore store = ServedStore.open(folder.resolve("calls.duckdb").toString());
                KeptOnDisk kept = Objects.requireNonNull(KeptOnDisk.open("64Mi", null, store, options, null))) {
            fill(store, kept, options, capture);
            CallData.CallKey call = new CallData.CallKey(onlyCall(store), List.of("call0@test"));
            byte[] keys = Files.readAllBytes(SAMPLES.resolve("gcm128.keys"));
            assertThat(notes(call, kept, keys)).isEqualTo("[\"SIP in TLS: 3 messages of this call read\"]");
            byte[] others = Files.readAllBytes(SAMPLES.resolve("gcm256.keys"));
            assertThat(notes(call, kept, others)).contains("nothing of this call");
        }
    }

    @Test
    void packetsThatAnEarlierRunKeptAreThereWithoutCapturing() throws Exception {
        AnalysisOptions options = AnalysisOptions.defaults().withLanes(1).withKeptCalls(1000);
        Path capture = ProxiedCapture.write(SAMPLES.resolve("gcm128.pcap"), folder);
        String database = folder.resolve("calls.duckdb").toString();
        try (ServedStore store = ServedStore.open(database);
                KeptOnDisk kept = Objects.requireNonNull(KeptOnDisk.open("64Mi", null, store, options, null))) {
            fill(store, kept, options, capture);
        }
        Terminal terminal = new Offhook().terminal(new ByteArrayOutputStream(), new ByteArrayOutputStream());
        try (ServedStore store = ServedStore.open(database);
                KeptOnDisk kept = KeptOnDisk.ofEarlier(null, store, options, null, terminal)) {
            ServedCalls calls = new ServedCalls(store);
            calls.filledBy(new EarlierCalls(kept));
            assertThat(calls.hasPackets()).isTrue();
            Path exported = folder.resolve("call.pcapng");
            try (OutputStream out = Files.newOutputStream(exported)) {
                calls.writePackets(List.of(new CallData.CallKey(onlyCall(store), List.of("call0@test"))), out);
            }
            assertThat(Offhook.done("messages", exported.toString()).out())
                    .contains("call0@test")
                    .contains("200 OK");
        }
        try (ServedStore other = ServedStore.open(folder.resolve("other.duckdb").toString())) {
            assertThat(KeptOnDisk.ofEarlier(null, other, options, null, terminal))
                    .isNull();
        }
    }

    private static void fill(ServedStore store, KeptOnDisk kept, AnalysisOptions options, Path capture)
            throws Exception {
        try (PausedCapture source = new PausedCapture(
                        CaptureFiles.open(List.of(capture.toString()), InputStream.nullInputStream()),
                        Integer.MAX_VALUE);
                CallWriter writer = CallWriter.start(store.store(), WriterSettings.standard())) {
            FilledLive filling = new FilledLive(
                    "proxied",
                    new MeasuredSource(source),
                    writer,
                    new CallMetrics(),
                    LanePlacement.anywhere(),
                    options.lanes());
            filling.end(Analysis.watchWith(
                    source,
                    options.withListener(writer.messages("proxied")),
                    filling,
                    pipeline -> kept.packets().addTo(pipeline, false)));
        }
        kept.close(); // all is written; it is read all the same
    }

    private static long onlyCall(ServedStore store) throws Exception {
        try (Connection connection = store.store().reader();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM calls")) {
            assertThat(row.next()).isTrue();
            long id = row.getLong(1);
            assertThat(row.next()).as("a second call").isFalse();
            return id;
        }
    }

    private static String notes(CallData.CallKey call, KeptOnDisk kept, byte[] keys) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(keys.length);
            text.copyFrom(MemorySegment.ofArray(keys));
            try (OpenedCall opened = OpenedCall.start(call, kept, text)) {
                while (opened.state() == KeyedCall.State.READING) {
                    Thread.sleep(10);
                }
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                try (JsonFields out = new JsonFields(bytes, TimeForm.EPOCH)) {
                    out.object();
                    opened.write(out);
                    out.end();
                }
                String json = bytes.toString(StandardCharsets.UTF_8);
                assertThat(opened.state()).as(json).isEqualTo(KeyedCall.State.READY);
                assertThat(Json.object(json)).containsKey("call");
                return json.substring(json.indexOf("[\""), json.indexOf(']') + 1);
            }
        }
    }
}
