package io.offhook.forward.application;

import io.offhook.forward.Stage;
import java.util.List;

/**
 * One stage of a running application: what its lanes share, and how its tables are replaced. Called by the thread that
 * controls the application.
 *
 * @param <C> the type of the values
 */
public interface StageInstances<C> extends AutoCloseable {
    /**
     * Creates the instance for the next lane, in the order of the lanes. The ports are open; the lanes do not run yet.
     */
    Stage ofALane();

    /**
     * Replaces the configuration. It differs from the previous one in keys that may change; other parts of the
     * application's may differ, too ({@link StageContext#config}).
     *
     * @return for each lane, in order, what to run between two bursts; empty if there is nothing to run
     */
    default List<Runnable> exchange(C before, C after) {
        return List.of();
    }

    /** Counts of rules, sizes of tables, and files; none by default. Also called after the lanes ended. */
    default List<StageFigure> figures() {
        return List.of();
    }

    /** Releases resources other than memory. Called after the lanes ended. */
    @Override
    default void close() {}
}
