package io.offhook.proxy.lane;

/** Something that a lane does on its thread, between messages. */
@FunctionalInterface
public interface LaneTask {
    /**
     * Called once.
     *
     * @param nowNs the lane's time
     */
    void run(long nowNs);
}
