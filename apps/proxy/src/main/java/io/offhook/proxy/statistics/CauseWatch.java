package io.offhook.proxy.statistics;

import java.util.List;

/** Counters by cause that are kept elsewhere. Called by any thread. */
@FunctionalInterface
public interface CauseWatch {
    /** The counters as they are now. */
    List<CauseFigure> causes();
}
