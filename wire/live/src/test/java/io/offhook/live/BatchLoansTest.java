package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class BatchLoansTest {
    private final FrameBatch batch = new FrameBatch(16);

    private static BatchLoans loans() {
        return new BatchLoans(new RehearsalRing(new RehearsalFrames()));
    }

    @Test
    void copiesOutliveAnotherSourceThatFilledTheBatchBefore() {
        BatchLoans before = loans();
        before.giveBack(batch).copies().fill((byte) 1);
        BatchLoans loans = loans();
        MemorySegment copies = loans.giveBack(batch).copies();
        copies.fill((byte) 2);
        before.close();
        assertThat(copies.scope().isAlive()).isTrue();
        assertThat(batch.buffer()).isEqualTo(copies);
        loans.close();
    }

    @Test
    void copiesStayTheSameWhenSourcesTakeTurns() {
        BatchLoans one = loans();
        BatchLoans other = loans();
        MemorySegment copies = one.giveBack(batch).copies();
        for (int i = 0; i < 10; i++) {
            assertThat(other.giveBack(batch).copies()).isNotEqualTo(copies);
            assertThat(one.giveBack(batch).copies()).isEqualTo(copies);
        }
        one.close();
        other.close();
    }
}
