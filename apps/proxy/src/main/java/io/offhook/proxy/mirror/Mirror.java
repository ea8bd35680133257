package io.offhook.proxy.mirror;

import io.offhook.hep.HepFeed;
import io.offhook.hep.HepSender;
import io.offhook.proxy.statistics.CauseFigure;
import io.offhook.proxy.tap.MessageWatcher;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The mirroring of messages to a collector: a ring for each lane, and one thread that sends what is in them. */
public final class Mirror implements AutoCloseable {
    private static final String GROUP = "mirror";

    private final HepSender sender;
    private final List<HepFeed> feeds = new CopyOnWriteArrayList<>();

    Mirror(HepSender sender) {
        this.sender = sender;
    }

    /** The watcher of one more lane. */
    public MessageWatcher watcher() {
        HepFeed feed = sender.feed();
        feeds.add(feed);
        return new MessageMirror(feed);
    }

    /** What became of messages: those sent, and those that were not, by cause. Thread-safe. */
    public List<CauseFigure> figures() {
        return List.of(
                new CauseFigure(GROUP, "sent", sender.sent()),
                new CauseFigure(
                        GROUP,
                        "queue_full",
                        feeds.stream().mapToLong(HepFeed::dropped).sum()),
                new CauseFigure(
                        GROUP,
                        "too_long",
                        feeds.stream().mapToLong(HepFeed::tooLong).sum()),
                new CauseFigure(GROUP, "send_failed", sender.failed()),
                new CauseFigure(GROUP, "connect_failed", sender.refusals()));
    }

    /** Sends what waits, for at most a second, and ends. */
    @Override
    public void close() {
        sender.close();
    }
}
