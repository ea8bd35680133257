package io.offhook.research.sharing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.research.CompilerOffsets;
import io.offhook.research.NativeCode;
import io.offhook.research.Rounds;
import io.offhook.research.Rounds.Technique;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SharingTest {
    private static final NativeCode CODE = new NativeCode("sharing");
    private static final Pools EXPECTED = Pools.inNativeMemory();

    private static long sum;

    static List<Technique> techniques() {
        return SharingTechniques.ALL;
    }

    /** A round by arithmetic on bytes alone. */
    @BeforeAll
    static void computeARound() {
        for (int step = 0; step < SharingTechniques.STEPS; step++) {
            int at = step % Pools.SLOTS * Pools.STRIDE;
            for (MemorySegment place : EXPECTED.segments) {
                sum += step(place, at + 8, 1, -1);
                sum += step(place, at + 4, 2, 1);
                sum += step(place, at + 12, 4, 1);
                sum += step(place, at + 20, 2, 1);
            }
        }
    }

    /** Adds to a big-endian number of so many bytes; what it was before. */
    private static long step(MemorySegment place, int at, int bytes, int by) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | place.get(JAVA_BYTE, at + i) & 0xff;
        }
        long next = value + by;
        for (int i = bytes - 1; i >= 0; i--) {
            place.set(JAVA_BYTE, at + i, (byte) next);
            next >>= 8;
        }
        return value;
    }

    @ParameterizedTest
    @MethodSource("techniques")
    void leavesTheBytesThatArithmeticSays(Technique technique) {
        assumeTrue(!technique.usesPeers() || CODE.missing() == null, () -> "not compared: " + CODE.missing());
        assertThat(Rounds.checksum(technique, 1))
                .isEqualTo(Long.toHexString(sum) + "-" + Long.toHexString(EXPECTED.digest()));
    }

    @Test
    void hasTheLayoutOfTheCompiler() {
        new CompilerOffsets(CODE).hold(Header.LAYOUT);
    }

    @Test
    void hasEveryKindOfMemoryThatItsNamesSay() {
        Pools pools = new Pools(Pools.Kind.NATIVE, Pools.Kind.MAPPED, Pools.Kind.NATIVE, Pools.Kind.HEAP);
        assertThat(pools.segments[0].isNative()).isTrue();
        assertThat(pools.segments[0].isMapped()).isFalse();
        assertThat(pools.segments[1].isMapped()).isTrue();
        assertThat(pools.segments[3].heapBase()).isPresent();
        assertThat(pools.digest()).isEqualTo(Pools.inNativeMemory().digest());
    }

    @Test
    void javolutionLaysTheStructureOutAsTheCompiler() {
        JavolutionWork.PacketStruct struct = new JavolutionWork.PacketStruct();
        assertThat(struct.size()).isEqualTo((int) Header.LAYOUT.byteSize());
        assertThat(struct.ttl.offset()).isEqualTo((int) Header.TTL);
        assertThat(struct.identification.offset()).isEqualTo((int) Header.IDENTIFICATION);
        assertThat(struct.source.offset()).isEqualTo((int) Header.SOURCE);
        assertThat(struct.sourcePort.offset()).isEqualTo((int) Header.SOURCE_PORT);
        assertThat(struct.byteOrder()).isEqualTo(ByteOrder.BIG_ENDIAN);
    }
}
