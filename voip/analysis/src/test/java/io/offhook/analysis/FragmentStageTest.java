package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FragmentStageTest {

    @Test
    void countsTheFragmentsOfForgottenSegments() {
        try (Arena arena = Arena.ofConfined()) {
            FragmentStage stage = new FragmentStage(arena, true, new Failures());
            long frame = 0;
            for (int i = 0; i < FragmentStage.MOST_SEGMENTS; i++) {
                frame += 3;
                stage.remember(new long[] {frame - 2, frame - 1, frame}, frame, frame * 10);
            }
            assertThat(stage.untraced().count()).isZero();
            assertThat(framesOf(stage, 3)).containsExactly(1L, 2L, 3L);
            stage.remember(new long[] {frame + 1, frame + 2}, frame + 2, (frame + 2) * 10);
            assertThat(stage.untraced().count()).isEqualTo(3);
            assertThat(stage.untraced().firstFrame()).isEqualTo(frame + 2);
            assertThat(stage.untraced().firstNs()).isEqualTo((frame + 2) * 10);
            assertThat(framesOf(stage, 3)).containsExactly(3L);
            PipelineCounters counters = new PipelineCounters();
            counters.datagrams(stage);
            assertThat(counters.all())
                    .extracting(CaptureReport.Counter::name, CaptureReport.Counter::count)
                    .containsExactly(tuple("fragmentsUntraced", 3L));
            stage.close();
        }
    }

    private static List<Long> framesOf(FragmentStage stage, long completingFrame) {
        List<Long> frames = new ArrayList<>();
        stage.framesOf(completingFrame, frames::add);
        return frames;
    }
}
