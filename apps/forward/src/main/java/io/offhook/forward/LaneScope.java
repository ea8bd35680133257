package io.offhook.forward;

/** What a lane's thread holds while it runs: begun and ended on that thread. */
public interface LaneScope extends AutoCloseable {
    @Override
    void close();
}
