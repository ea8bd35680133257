package io.offhook.cluster.kafka;

/** A topic has another number of partitions than events were numbered for: events of a call would lie in two of them. */
public final class WrongPartitionsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * The topic cannot be used.
     *
     * @param found partitions that it has
     * @param expected partitions that it should have
     */
    public WrongPartitionsException(String topic, int found, int expected) {
        super("the topic " + topic + " has " + found + " partitions, and events were numbered for " + expected
                + ": their number must not change; make a topic of another name, or restore this one");
    }
}
