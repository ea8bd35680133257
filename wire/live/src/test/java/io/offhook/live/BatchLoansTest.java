package io.offhook.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.packet.FrameBatch;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class BatchLoansTest {
    private static final FrameBatch BATCH = new FrameBatch(16);

    private static BatchLoans loans() {
        return new BatchLoans(new RehearsalRing(new RehearsalFrames()));
    }

    @Test
    void copiesOutliveAnotherSourceThatFilledTheBatchBefore() {
        BatchLoans before = loans();
        before.giveBack(BATCH).copies().fill((byte) 1);
        BatchLoans loans = loans();
        MemorySegment copies = loans.giveBack(BATCH).copies();
        copies.fill((byte) 2);
        before.close();
        assertThat(copies.scope().isAlive()).isTrue();
        assertThat(BATCH.buffer()).isEqualTo(copies);
        loans.close();
    }

    @Test
    void copiesStayTheSameWhenSourcesTakeTurns() {
        BatchLoans one = loans();
        BatchLoans other = loans();
        MemorySegment copies = one.giveBack(BATCH).copies();
        for (int i = 0; i < 10; i++) {
            assertThat(other.giveBack(BATCH).copies()).isNotEqualTo(copies);
            assertThat(one.giveBack(BATCH).copies()).isEqualTo(copies);
        }
        one.close();
        other.close();
    }
}
