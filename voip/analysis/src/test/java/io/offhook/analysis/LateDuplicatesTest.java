package io.offhook.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.analysis.frames.LateDuplicates;
import org.junit.jupiter.api.Test;

class LateDuplicatesTest {
    private final LateDuplicates duplicates = new LateDuplicates();

    @Test
    void countsThoseBeyondTheLimit() {
        for (int i = 0; i < LateDuplicates.MOST; i++) {
            duplicates.add(7, 1000L + i);
        }
        assertThat(duplicates.dropped()).isZero();
        duplicates.add(8, 1);
        duplicates.add(8, 2);
        assertThat(duplicates.dropped()).isEqualTo(2);
        assertThat(duplicates.count()).isEqualTo(LateDuplicates.MOST);
        assertThat(duplicates.completingFrame(LateDuplicates.MOST - 1)).isEqualTo(7);
        assertThat(duplicates.frame(LateDuplicates.MOST - 1)).isEqualTo(999 + LateDuplicates.MOST);
    }
}
