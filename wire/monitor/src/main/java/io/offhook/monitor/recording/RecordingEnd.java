package io.offhook.monitor.recording;

/** Why a recording ended. */
public enum RecordingEnd {
    /** It was ended: its time was over, or somebody stopped it. */
    STOPPED(1),
    /** The process that was recorded ended. */
    PROCESS_ENDED(2);

    private final int number;

    RecordingEnd(int number) {
        this.number = number;
    }

    /** As the file has it. */
    int number() {
        return number;
    }

    static RecordingEnd of(int number) {
        return number == PROCESS_ENDED.number ? PROCESS_ENDED : STOPPED;
    }
}
