package io.offhook.forward;

import java.util.List;

/** Drops of one stage of a lane, by cause. Written by the lane. */
final class StageCounts {
    static final StageCounts NONE = new StageCounts("", List.of());

    private final String stage;
    private final List<String> causes;
    private final long[] drops;

    StageCounts(String stage, List<String> causes) {
        this.stage = stage;
        this.causes = List.copyOf(causes);
        drops = new long[causes.size()];
    }

    void drop(int cause) {
        drops[cause]++;
    }

    String stage() {
        return stage;
    }

    List<String> causes() {
        return causes;
    }

    long drops(int cause) {
        return drops[cause];
    }
}
