package io.offhook.forward.application;

import io.offhook.forward.Stage;
import java.util.List;

/**
 * One stage of a running application: what its lanes share, an instance for each, and how its tables are exchanged. The thread
 * that controls the application calls it.
 *
 * @param <C> what its keys become
 */
public interface StageInstances<C> extends AutoCloseable {
    /** The instance of one more lane, in the order of the lanes. The ports are open, the lanes do not run yet. */
    Stage ofALane();

    /**
     * Takes another configuration, which differs from the one before in keys that may change, and maybe in other parts of the
     * application's: {@link StageContext#config} has it.
     *
     * @return what each lane is to run between two bursts, by the order of the lanes; empty where there is nothing to run
     */
    default List<Runnable> exchange(C before, C after) {
        return List.of();
    }

    /** Counts of rules, sizes of tables, files; none by default. Still there when the lanes have ended. */
    default List<StageFigure> figures() {
        return List.of();
    }

    /** Ends what it has besides memory: after the lanes. */
    @Override
    default void close() {}
}
