package io.offhook.proxy.statistics;

import java.util.List;

/** Counters that several threads write. */
@FunctionalInterface
public interface CauseSource {
    /** The counters as they are now. Thread-safe. */
    List<CauseFigure> causes();
}
