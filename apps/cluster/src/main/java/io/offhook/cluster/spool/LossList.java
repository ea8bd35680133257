package io.offhook.cluster.spool;

import io.offhook.cluster.event.EventRange;
import java.util.ArrayList;
import java.util.List;

/** Losses, as few as they can be described by, and never more than {@value #MOST}: then ranges become coarser. */
final class LossList {
    /** How many there are at most. */
    static final int MOST = 128;

    private final List<SpoolLoss> losses = new ArrayList<>();

    /** The loss of one event. */
    static SpoolLoss of(SpoolLoss.Cause cause, SpooledEvent event) {
        return new SpoolLoss(
                cause,
                new EventRange(event.partition(), event.incarnation(), event.sequence(), event.sequence()),
                1,
                event.atNs(),
                event.atNs());
    }

    void add(SpoolLoss loss) {
        for (int i = losses.size() - 1; i >= 0; i--) {
            if (losses.get(i).isContinuedBy(loss)) {
                losses.set(i, losses.get(i).and(loss));
                return;
            }
        }
        if (losses.size() < MOST) {
            losses.add(loss);
            return;
        }
        for (int i = losses.size() - 1; i >= 0; i--) {
            if (losses.get(i).isOfSame(loss)) {
                losses.set(i, losses.get(i).and(loss));
                return;
            }
        }
        SpoolLoss last = losses.getLast();
        losses.set(
                MOST - 1,
                last.and(new SpoolLoss(last.cause(), loss.events(), loss.count(), loss.fromNs(), loss.untilNs())));
    }

    void addAll(LossList other) {
        other.losses.forEach(this::add);
    }

    /** Takes out one that is in here. */
    void remove(SpoolLoss loss) {
        losses.remove(loss);
    }

    List<SpoolLoss> all() {
        return List.copyOf(losses);
    }

    long count(SpoolLoss.Cause cause) {
        return losses.stream()
                .filter(loss -> loss.cause() == cause)
                .mapToLong(SpoolLoss::count)
                .sum();
    }
}
