package io.offhook.monitor.xray;

/** What a thread of a JVM does in a sample. */
public enum Activity {
    /** Runs Java code or the JVM's, or is ready to. */
    RUNNABLE("is runnable"),
    /** Waits inside the JVM, such as for a collection that it asked for. */
    IN_JVM("waits inside the JVM"),
    /** In native code, where it may run, or wait in the kernel, such as for a socket. */
    NATIVE("is in native code, as threads that wait for a socket are"),
    /** Held by the JVM, such as for a pause. */
    STOPPED("is stopped by the JVM"),
    /** Waits to enter a monitor that another thread has. */
    MONITOR("is blocked on a monitor"),
    /** In {@link Object#wait()}. */
    OBJECT_WAIT("is in Object.wait"),
    /** In {@link java.util.concurrent.locks.LockSupport#park()}: locks, queues and pools of {@code java.util.concurrent}. */
    PARK("is parked"),
    /** In {@link Thread#sleep(long)}. */
    SLEEP("sleeps"),
    /** Sleeps or is parked. */
    SLEEP_OR_PARK("sleeps or is parked");

    private final String words;

    Activity(String words) {
        this.words = words;
    }

    /** What stands behind the name of a thread. */
    public String words() {
        return words;
    }

    boolean isWaiting() {
        return switch (this) {
            case RUNNABLE, STOPPED -> false;
            case IN_JVM, NATIVE, MONITOR, OBJECT_WAIT, PARK, SLEEP, SLEEP_OR_PARK -> true;
        };
    }
}
