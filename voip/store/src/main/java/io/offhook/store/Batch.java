package io.offhook.store;

import io.offhook.calls.CallReport;
import io.offhook.calls.RatedInterval;
import io.offhook.calls.StreamReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is written in one transaction. */
final class Batch {
    private final Map<Long, PendingCall> calls = new LinkedHashMap<>();
    private final Map<Long, RegistrationRow> registrations = new LinkedHashMap<>();
    private final List<CapturedMessage> messages = new ArrayList<>();
    private final List<DropRow> drops = new ArrayList<>();
    private @Nullable String replacedDrops;

    /**
     * A call as it was when it was given.
     *
     * @param row its own row
     * @param document the whole of it
     * @param streams its streams
     */
    record PendingCall(CallRow row, DocumentRow document, List<PendingStream> streams) {
        static PendingCall of(CallReport call, String source) {
            CallRow row = new CallRow(Ids.call(call), source, call);
            List<PendingStream> streams = new ArrayList<>(call.streams().size());
            for (StreamReport stream : call.streams()) {
                StreamRow of = new StreamRow(Ids.stream(row.id(), stream), row.id(), row.firstSeenNs(), stream);
                streams.add(new PendingStream(
                        of.id(), KeptCells.row(StreamRow.TABLE, of), stream.clockRate(), stream.intervals()));
            }
            return new PendingCall(row, DocumentRow.of(row), streams);
        }
    }

    /**
     * A stream as it was.
     *
     * @param id its id
     * @param row its row
     * @param clockRate of its timestamps, Hz
     * @param intervals which do not change any more
     */
    record PendingStream(long id, KeptCells.Row row, int clockRate, List<RatedInterval> intervals) {}

    /** Adds a call in the place of what was added of it, or of its legs, before. */
    void add(PendingCall call) {
        for (CallReport.Dialog dialog : call.row().call().dialogs()) {
            calls.remove(Ids.dialog(dialog.callId(), dialog.times().firstSeenNs()));
        }
        calls.put(call.row().id(), call);
    }

    void add(RegistrationRow row) {
        registrations.put(row.id(), row);
    }

    void add(CapturedMessage message) {
        messages.add(message);
    }

    void add(DropRow drop) {
        drops.add(drop);
    }

    /** The drops of this source take the place of those that are there. */
    void replaceDropsOf(String source) {
        replacedDrops = source;
    }

    @Nullable
    String replacedDrops() {
        return replacedDrops;
    }

    void removeDrops(List<DropRow> rows) {
        drops.removeAll(rows);
    }

    Map<Long, PendingCall> calls() {
        return calls;
    }

    Map<Long, RegistrationRow> registrations() {
        return registrations;
    }

    List<CapturedMessage> messages() {
        return messages;
    }

    List<DropRow> drops() {
        return drops;
    }

    boolean isEmpty() {
        return calls.isEmpty() && registrations.isEmpty() && messages.isEmpty() && drops.isEmpty();
    }
}
