package io.offhook.forward.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.offhook.forward.EthernetFrames;
import io.offhook.forward.Rig;
import org.junit.jupiter.api.Test;

class BridgeStageTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long A = 0x0200_0000_00aaL;
    private static final long B = 0x0200_0000_00bbL;

    private final MacTable table = new MacTable(64, 300 * SECOND);

    private static byte[] frame(long source, long destination) {
        return Rig.packet(writer -> writer.ethernet(source, destination).arp(1, source, 1, destination, 2));
    }

    @Test
    void floodsWhatItDoesNotKnowAndForwardsWhatItLearned() {
        try (Rig rig = Rig.of(3, new BridgeStage(0b111, table))) {
            byte[] first = frame(A, B);
            rig.offer(0, first);
            assertThat(rig.only(1)).isEqualTo(first);
            assertThat(rig.only(2)).isEqualTo(first);
            assertThat(rig.sent(0)).isEmpty();

            byte[] back = frame(B, A);
            rig.offer(1, back);
            assertThat(rig.only(0)).isEqualTo(back);
            assertThat(rig.sent(2)).isEmpty();

            rig.offer(0, first);
            assertThat(rig.only(1)).isEqualTo(first);
            assertThat(rig.sent(2)).isEmpty();
        }
    }

    @Test
    void floodsGroupsWhateverItLearned() {
        try (Rig rig = Rig.of(3, new BridgeStage(0b111, table))) {
            rig.offer(0, frame(A, EthernetFrames.BROADCAST), frame(A, 0x0100_5e00_0001L));
            assertThat(rig.sent(1)).hasSize(2);
            assertThat(rig.sent(2)).hasSize(2);
        }
    }

    @Test
    void dropsWhatIsBetweenNeighboursOnly() {
        try (Rig rig = Rig.of(2, new BridgeStage(0b11, table))) {
            rig.offer(0, frame(A, 0x0180_c200_0000L), frame(A, 0x0180_c200_000eL), frame(A, 0x0180_c200_0010L));
            assertThat(rig.sent(1)).hasSize(1);
            assertThat(rig.drops("reserved address")).isEqualTo(2);
        }
    }

    @Test
    void doesNotSendBackWhereItCameFrom() {
        try (Rig rig = Rig.of(2, new BridgeStage(0b11, table))) {
            rig.offer(0, frame(A, EthernetFrames.BROADCAST), frame(B, EthernetFrames.BROADCAST));
            rig.sent(1);
            rig.offer(0, frame(A, B));
            assertThat(rig.sent(1)).isEmpty();
            assertThat(rig.sent(0)).isEmpty();
            assertThat(rig.drops("destination at the same port")).isEqualTo(1);
        }
    }

    @Test
    void followsAnAddressThatMoves() {
        try (Rig rig = Rig.of(3, new BridgeStage(0b111, table))) {
            rig.offer(0, frame(A, EthernetFrames.BROADCAST));
            rig.offer(2, frame(A, EthernetFrames.BROADCAST));
            assertThat(table.moved()).isEqualTo(1);
            for (int i = 0; i < 3; i++) {
                rig.sent(i);
            }
            rig.offer(1, frame(B, A));
            assertThat(rig.sent(0)).isEmpty();
            assertThat(rig.sent(2)).hasSize(1);
        }
    }

    @Test
    void leavesPortsThatAreNotOfTheBridge() {
        try (Rig rig = Rig.of(3, new BridgeStage(0b011, table))) {
            rig.offer(0, frame(A, EthernetFrames.BROADCAST));
            assertThat(rig.sent(1)).hasSize(1);
            assertThat(rig.sent(2)).isEmpty();
            rig.offer(2, frame(B, A));
            assertThat(rig.forwarder.statistics().counts().undecided()).isEqualTo(1);
        }
    }

    @Test
    void dropsSourcesThatAreGroups() {
        try (Rig rig = Rig.of(2, new BridgeStage(0b11, table))) {
            rig.offer(0, frame(EthernetFrames.BROADCAST, A), frame(0, A));
            assertThat(rig.drops("source is a group, or none")).isEqualTo(2);
            assertThat(table.count()).isZero();
        }
    }

    @Test
    void forgetsWhatItDoesNotSee() {
        assertThat(table.port(A, 0)).isEqualTo(-1);
        table.learn(A, 3, SECOND);
        assertThat(table.port(A, 299 * SECOND)).isEqualTo(3);
        table.learn(A, 3, 299 * SECOND);
        assertThat(table.port(A, 590 * SECOND)).isEqualTo(3);
        assertThat(table.port(A, 700 * SECOND)).isEqualTo(-1);
        for (int i = 0; i < 64; i++) {
            table.age(700 * SECOND, i);
        }
        assertThat(table.count()).isZero();
    }

    @Test
    void isBoundedAndCountsWhatGivesWay() {
        for (long i = 1; i <= 1000; i++) {
            table.learn(i, 1, SECOND);
        }
        assertThat(table.count()).isLessThanOrEqualTo(64);
        assertThat(table.evicted()).isEqualTo(1000 - table.count());
        assertThat(table.port(1000, SECOND)).isEqualTo(1);
    }

    @Test
    void keepsWhatIsPinned() {
        table.pin(A, 5);
        table.learn(A, 1, SECOND);
        for (long i = 1; i <= 1000; i++) {
            table.learn(i, 1, SECOND);
        }
        assertThat(table.port(A, 100_000 * SECOND)).isEqualTo(5);
    }

    @Test
    void saysThatThereIsNoRoomForAnAddressThatStays() {
        MacTable small = new MacTable(8, 300 * SECOND);
        small.learn(100, 1, SECOND);
        for (long i = 1; i <= 8; i++) {
            assertThat(small.pin(i, 2)).isTrue();
        }
        assertThat(small.pin(9, 2)).isFalse();
        assertThat(small.pin(8, 3)).isTrue();
        assertThat(small.port(8, SECOND)).isEqualTo(3);
    }
}
