package io.offhook.proxy.tap;

/** Is shown the messages of a lane, on the lane's thread: it must not wait. */
public interface MessageWatcher {
    /** Whether it wants to see messages now. Asked for each one, so that a watcher that is off costs nothing else. */
    default boolean isOn() {
        return true;
    }

    /** Called for each message that comes or goes; the message is valid until the method returns. */
    void seen(SeenMessage message);
}
