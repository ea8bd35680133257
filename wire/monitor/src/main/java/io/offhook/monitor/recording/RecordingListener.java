package io.offhook.monitor.recording;

/** Is called with what a recording has, in its order. */
public interface RecordingListener {
    /** The process, before all else. */
    default void process(RecordedProcess process) {}

    /** A look, or the mean of several. */
    default void look(RecordedLook look) {}
}
