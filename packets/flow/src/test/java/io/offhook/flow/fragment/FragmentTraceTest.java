package io.offhook.flow.fragment;

import static io.offhook.flow.fragment.FragmentTable.Result.COMPLETE;
import static io.offhook.flow.fragment.FragmentTable.Result.DUPLICATE;
import static io.offhook.flow.fragment.FragmentTable.Result.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.flow.IpWire;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The frames that a datagram came in: those of duplicates, too, early and late. */
class FragmentTraceTest {
    private final IpWire wire = new IpWire();
    private final FragmentTrace trace = wire.table.trace();
    private final byte[] whole = IpWire.payload(2960, 1);
    private final byte[] first = Arrays.copyOfRange(whole, 0, 1480);
    private final byte[] second = Arrays.copyOfRange(whole, 1480, 2960);

    @AfterEach
    void close() {
        wire.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void notesDuplicatesOfADatagramThatWaits(int version) {
        assertThat(wire.fragment(version, 7, 0, true, first)).isEqualTo(WAITING);
        assertThat(wire.fragment(version, 7, 0, true, first)).isEqualTo(DUPLICATE);
        assertThat(trace.late()).isEmpty();
        assertThat(wire.fragment(version, 7, 1480, false, second)).isEqualTo(COMPLETE);
        assertThat(trace.completed()).containsExactly(1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void namesTheCompletingFrameForDuplicatesThatArriveLate(int version) {
        wire.fragment(version, 7, 0, true, first);
        wire.fragment(version, 7, 1480, false, second);
        assertThat(trace.late()).isEmpty();
        assertThat(wire.fragment(version, 7, 1480, false, second)).isEqualTo(DUPLICATE);
        assertThat(trace.late()).containsExactly(2, 3);
        trace.carriers(40, 41);
        assertThat(wire.fragment(version, 7, 0, true, first)).isEqualTo(DUPLICATE);
        assertThat(trace.late()).containsExactly(2, 40, 41);
        assertThat(wire.fragment(version, 8, 0, true, first)).isEqualTo(WAITING);
        assertThat(trace.late()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void remembersTheLatestDatagramsOnly(int version) {
        for (int i = 0; i <= 4096; i++) {
            wire.fragment(version, 100 + i, 0, true, Arrays.copyOf(first, 8));
            assertThat(wire.fragment(version, 100 + i, 8, false, new byte[] {(byte) i}))
                    .isEqualTo(COMPLETE);
        }
        int frames = 2 * 4097;
        assertThat(wire.fragment(version, 100 + 4096, 0, true, Arrays.copyOf(first, 8)))
                .isEqualTo(DUPLICATE);
        assertThat(trace.late()).containsExactly(frames, frames + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 6})
    void countsTheFramesThatADatagramHasNoRoomFor(int version) {
        for (int i = 0; i < 2048; i++) {
            wire.fragment(version, 7, 0, true, first);
        }
        assertThat(trace.dropped()).isZero();
        wire.fragment(version, 7, 0, true, first);
        wire.fragment(version, 7, 1480, false, second);
        assertThat(trace.completed()).hasSize(2048);
        assertThat(trace.dropped()).isEqualTo(2);
    }
}
