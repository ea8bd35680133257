package io.offhook.monitor.recording;

import io.offhook.monitor.Pause;

/** A pause of a JVM as its record has it. */
final class RecordedPause {
    private static final int GC = 1;
    private static final int SAFEPOINT = 2;

    private RecordedPause() {}

    static void write(Pause pause, RecordBytes payload) {
        payload.i64(pause.startNs())
                .number(pause.durationNs())
                .u8(pause.kind() == Pause.Kind.GC ? GC : SAFEPOINT)
                .text(pause.cause());
    }

    static Pause read(RecordCursor cursor) {
        long startNs = cursor.i64();
        long durationNs = cursor.number();
        Pause.Kind kind = cursor.u8() == GC ? Pause.Kind.GC : Pause.Kind.SAFEPOINT;
        return new Pause(startNs, durationNs, kind, cursor.text());
    }
}
