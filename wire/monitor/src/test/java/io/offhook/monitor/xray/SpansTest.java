package io.offhook.monitor.xray;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SpansTest {
    private record Span(long from, long to, String value) {}

    private static List<Span> overlapping(Spans<String> spans, long from, long to) {
        List<Span> found = new ArrayList<>();
        spans.overlapping(from, to, (begin, end, value) -> found.add(new Span(begin, end, value)));
        return found;
    }

    @Test
    void findsWhatASearchThroughAllFindsOfOverlappingSpansInAnyOrder() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Spans<String> spans = new Spans<>();
        List<Span> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            long from = random.nextLong(1000);
            Span span = new Span(from, from + 1 + random.nextLong(50), "v" + i);
            spans.add(span.from(), span.to(), span.value());
            all.add(span);
            if (i == 150) {
                spans.forget(200);
                all.removeIf(one -> one.to() < 200);
            }
        }
        for (long from = 0; from < 1050; from += 7) {
            long begin = from;
            long end = from + random.nextLong(1, 60);
            assertThat(overlapping(spans, begin, end))
                    .as("seed " + seed)
                    .containsExactlyInAnyOrderElementsOf(all.stream()
                            .filter(one -> one.from() < end && one.to() > begin)
                            .toList());
            assertThat(spans.at(from) != null)
                    .as("seed " + seed)
                    .isEqualTo(all.stream().anyMatch(one -> one.from() < begin && begin <= one.to()));
        }
    }

    @Test
    void extendsTheLastOneWhereNothingChanges() {
        Spans<String> spans = new Spans<>();
        spans.extend(0, 2, "a");
        spans.extend(2, 4, "a");
        spans.extend(4, 6, "b");
        spans.extend(7, 9, "b");
        assertThat(overlapping(spans, 0, 10))
                .containsExactly(new Span(0, 4, "a"), new Span(4, 6, "b"), new Span(7, 9, "b"));
        assertThat(spans.at(4)).isEqualTo("a");
        assertThat(spans.at(5)).isEqualTo("b");
        assertThat(spans.at(7)).isNull();
        assertThat(spans.lastNs()).isEqualTo(9);
    }

    @Test
    void movesTheLastOneBackAndThoseInItsWay() {
        Spans<String> spans = new Spans<>();
        spans.add(5, 10, "a");
        spans.add(12, 15, "b");
        spans.add(15, 20, "c");
        spans.moveLastBack(3);
        assertThat(overlapping(spans, 0, 30))
                .containsExactly(new Span(4, 9, "a"), new Span(9, 12, "b"), new Span(12, 17, "c"));
        spans.moveLastBack(1);
        assertThat(overlapping(spans, 0, 30))
                .containsExactly(new Span(3, 8, "a"), new Span(8, 11, "b"), new Span(11, 16, "c"));
    }

    @Test
    void cutsOffWhatHasNoRoomWhereTooManyAreInTheWay() {
        Spans<String> spans = new Spans<>();
        for (long i = 0; i < 100; i++) {
            spans.add(10 * i, 10 * i + 10, "v" + i);
        }
        spans.moveLastBack(5);
        List<Span> moved = overlapping(spans, -100, 2000);
        assertThat(moved.getFirst()).isEqualTo(new Span(0, 10, "v0"));
        assertThat(moved.getLast()).isEqualTo(new Span(985, 995, "v99"));
        for (int i = 1; i < moved.size(); i++) {
            assertThat(moved.get(i).from())
                    .isGreaterThanOrEqualTo(moved.get(i - 1).to());
        }
    }

    @Test
    void keepsItsRoomWhileTheOldIsForgotten() {
        Spans<String> spans = new Spans<>();
        for (long i = 0; i < 100_000; i++) {
            spans.add(i, i + 1, "v");
            spans.forget(i - 10);
        }
        assertThat(overlapping(spans, 0, 200_000)).hasSizeBetween(10, 13);
    }
}
