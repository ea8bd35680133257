package io.offhook.monitor.recording;

/**
 * The process that a recording is of.
 *
 * @param pid its number
 * @param commandLine its arguments, with spaces between
 * @param beganNs when the recording began, nanoseconds since the epoch
 * @param everyNs the time between two looks
 */
public record RecordedProcess(long pid, String commandLine, long beganNs, long everyNs) {
    void write(RecordBytes payload) {
        payload.number(pid).i64(beganNs).number(everyNs).text(commandLine);
    }

    static RecordedProcess read(RecordCursor cursor) {
        long pid = cursor.number();
        long beganNs = cursor.i64();
        long everyNs = cursor.number();
        return new RecordedProcess(pid, cursor.text(), beganNs, everyNs);
    }
}
