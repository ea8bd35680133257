package io.offhook.proxy.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.Endpoint;
import io.offhook.proxy.line.LineFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallRecordsTest {
    @TempDir
    private Path folder;

    private static CallRecord record(long answeredMs, Endpoint nextHop) {
        return new CallRecord(
                new CallRecord.Parties(
                        "a\u001b[2J@host", "sip:alice@example.com", "sip:bob@example.com", "sip:bob@example.com"),
                new CallRecord.Times(
                        1_800_000_000_000L, answeredMs == 0 ? 0 : 1_800_000_000_180L, answeredMs, 1_800_000_010_000L),
                answeredMs == 0 ? 486 : 200,
                answeredMs == 0 ? CallOutcome.REFUSED : CallOutcome.COMPLETED,
                answeredMs == 0 ? CallRecord.EndedBy.CALLEE : CallRecord.EndedBy.CALLER,
                Endpoint.of("192.0.2.1", 5060),
                nextHop);
    }

    @Test
    void writesALineForEachCallAndGoesOnInANewFile() throws Exception {
        Path file = folder.resolve("calls.jsonl");
        CallRecords records = new CallRecords(64, LineFile.open(file));
        assertThat(records.add(record(1_800_000_002_000L, Endpoint.of("192.0.2.2", 5080))))
                .isTrue();
        records.close();
        assertThat(Files.readString(file))
                .isEqualTo("{\"callId\":\"a\\u001b[2J@host\",\"caller\":\"sip:alice@example.com\","
                        + "\"callee\":\"sip:bob@example.com\",\"requestUri\":\"sip:bob@example.com\","
                        + "\"started\":\"2027-01-15T08:00:00.000Z\",\"answered\":\"2027-01-15T08:00:02.000Z\","
                        + "\"ended\":\"2027-01-15T08:00:10.000Z\",\"ringMs\":180,\"setupMs\":2000,\"talkMs\":8000,"
                        + "\"status\":200,\"outcome\":\"completed\",\"endedBy\":\"caller\","
                        + "\"source\":\"192.0.2.1:5060\",\"nextHop\":\"192.0.2.2:5080\"}\n");
        assertThat(records.written()).isEqualTo(1);
        assertThat(records.dropped()).isZero();
    }

    @Test
    void leavesOutWhatNeverHappened() {
        StringBuilder line = new StringBuilder();
        CallRecords.append(record(0, Endpoint.of("192.0.2.2", 5080)), line);
        assertThat(line.toString())
                .contains("\"answered\":null", "\"ringMs\":null", "\"setupMs\":null", "\"talkMs\":null")
                .contains("\"status\":486,\"outcome\":\"refused\",\"endedBy\":\"callee\"");
    }

    @Test
    void opensItsFileAgain() throws Exception {
        Path file = folder.resolve("calls.jsonl");
        try (CallRecords records = new CallRecords(64, LineFile.open(file))) {
            Files.move(file, folder.resolve("calls.1"));
            records.reopen();
            while (!Files.exists(file)) {
                Thread.onSpinWait(); // its thread looks about 50 times a second
            }
            records.add(record(0, Endpoint.of("192.0.2.2", 5080)));
        }
        assertThat(Files.readAllLines(file)).hasSize(1);
        assertThat(folder.resolve("calls.1")).isEmptyFile();
    }
}
