package io.offhook.forward;

/** A resource that a lane's thread holds while it runs; acquired and released on that thread. */
public interface LaneScope extends AutoCloseable {
    @Override
    void close();
}
