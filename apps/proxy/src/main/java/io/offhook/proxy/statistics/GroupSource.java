package io.offhook.proxy.statistics;

import java.util.List;

/** Where the figures of groups come from: whoever routes. */
@FunctionalInterface
public interface GroupSource {
    /** The groups as they are now. Thread-safe. */
    List<GroupFigure> groups();
}
