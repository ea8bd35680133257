package io.offhook.proxy.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.offhook.sip.registrar.AddressOfRecord;
import io.offhook.sip.registrar.Binding;
import io.offhook.sip.registrar.RegisterFinding;
import io.offhook.sip.registrar.RegisterOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemoryLocationStoreTest {
    private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(Registrations.NOW));
    private static final AddressOfRecord ONE = Registrations.user(1);

    @TempDir
    Path directory;

    private LocationConfig config(SyncMode sync) {
        return new LocationConfig(directory, sync, 1 << 16, 1000, 1000, null);
    }

    @ParameterizedTest
    @EnumSource
    void whatWasAcknowledgedIsThereAgain(SyncMode sync) throws Exception {
        try (MemoryLocationStore store = MemoryLocationStore.open(config(sync), CLOCK)) {
            assertThat(Registrations.register(store, ONE, 1).finding()).isEqualTo(RegisterFinding.UPDATED);
            assertThat(Registrations.find(store, ONE, Registrations.NOW)).hasSize(1);
        }
        try (MemoryLocationStore store = MemoryLocationStore.open(config(sync), CLOCK)) {
            assertThat(store.recovery()).isEqualTo(new LocationRecovery(1, 1, 0));
            assertThat(Registrations.find(store, ONE, Registrations.NOW))
                    .extracting(Binding::cseq)
                    .containsExactly(1L);
            assertThat(Registrations.find(store, ONE, Registrations.NOW + 3_600_000))
                    .isEmpty();
        }
    }

    @Test
    void changesOfOneAddressFromManyThreadsHappenOneAfterTheOther() throws Exception {
        try (MemoryLocationStore store = MemoryLocationStore.open(LocationConfig.DEFAULT, CLOCK)) {
            AtomicInteger accepted = new AtomicInteger();
            CountDownLatch done = new CountDownLatch(400);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int cseq = 1; cseq <= 100; cseq++) {
                        store.update(
                                ONE,
                                Registrations.change(ONE, cseq, Registrations.contact(ONE), Registrations.NOW),
                                new StoreCallback<>() {
                                    @Override
                                    public void done(RegisterOutcome result) {
                                        accepted.addAndGet(result.finding().isAccepted() ? 1 : 0);
                                        done.countDown();
                                    }

                                    @Override
                                    public void failed(StoreFailure failure) {
                                        done.countDown();
                                    }
                                });
                    }
                }));
            }
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            // each CSeq number is accepted once at most, and the last one is
            assertThat(accepted.get()).isBetween(1, 100);
            assertThat(store.figures().updates()).isEqualTo(accepted.get());
            assertThat(Registrations.find(store, ONE, Registrations.NOW))
                    .extracting(Binding::cseq)
                    .containsExactly(100L);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void theNumberOfAddressesIsLimitedAndRefreshingGoesOn() throws Exception {
        LocationConfig two = new LocationConfig(null, SyncMode.NEVER, 1 << 16, 2, 100, null);
        try (MemoryLocationStore store = MemoryLocationStore.open(two, CLOCK)) {
            Registrations.register(store, Registrations.user(1), 1);
            Registrations.register(store, Registrations.user(2), 1);

            assertThatThrownBy(() -> Registrations.register(store, Registrations.user(3), 1))
                    .hasMessageContaining("FULL");
            assertThat(Registrations.register(store, Registrations.user(2), 2).finding())
                    .isEqualTo(RegisterFinding.UPDATED);
            assertThat(store.figures().failures()).isEqualTo(1);
        }
    }

    @Test
    void whatDoesNotFitTheQueueIsRefusedAtOnce() throws Exception {
        LocationConfig short1 = new LocationConfig(null, SyncMode.NEVER, 1 << 16, 100, 1, null);
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        try (MemoryLocationStore store = MemoryLocationStore.open(short1, CLOCK)) {
            Registrations.Waited<RegisterOutcome> held = new Registrations.Waited<>();
            store.update(
                    ONE,
                    current -> {
                        isHeld.countDown();
                        try {
                            mayGoOn.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        return Registrations.change(ONE, 1, Registrations.contact(ONE), Registrations.NOW)
                                .apply(current);
                    },
                    held);
            isHeld.await();
            Registrations.Waited<RegisterOutcome> waits = new Registrations.Waited<>();
            store.update(ONE, Registrations.change(ONE, 2, Registrations.contact(ONE), Registrations.NOW), waits);

            assertThatThrownBy(() -> Registrations.register(store, ONE, 3)).hasMessageContaining("OVERLOADED");
            mayGoOn.countDown();
            assertThat(held.get().finding()).isEqualTo(RegisterFinding.UPDATED);
            assertThat(waits.get().finding()).isEqualTo(RegisterFinding.UPDATED);
        }
    }

    @Test
    void aChangeThatThrowsFailsAloneAndACloseRefusesWhatComesAfter() throws Exception {
        MemoryLocationStore store = MemoryLocationStore.open(config(SyncMode.NEVER), CLOCK);
        try (store) {
            assertThatThrownBy(() -> Registrations.update(store, ONE, current -> {
                        throw new IllegalArgumentException("a bug");
                    }))
                    .hasMessageContaining("INTERNAL");
            assertThat(Registrations.register(store, ONE, 1).finding()).isEqualTo(RegisterFinding.UPDATED);
        }
        assertThatThrownBy(() -> Registrations.register(store, ONE, 2)).hasMessageContaining("CLOSED");
    }

    @Test
    void aLongJournalBecomesASnapshotWhileRegistrationsGoOn() throws Exception {
        StepClock clock = new StepClock();
        try (MemoryLocationStore store = MemoryLocationStore.open(config(SyncMode.NEVER), clock)) {
            for (int i = 1; i <= 600; i++) {
                clock.nowMs.addAndGet(10);
                Registrations.register(store, Registrations.user(i % 50), i);
            }
        }
        assertThat(Files.exists(directory.resolve("location-00000001.journal")))
                .as("replaced")
                .isFalse();
        try (MemoryLocationStore store = MemoryLocationStore.open(config(SyncMode.NEVER), CLOCK)) {
            for (int i = 551; i <= 600; i++) {
                assertThat(Registrations.find(store, Registrations.user(i % 50), Registrations.NOW))
                        .extracting(Binding::cseq)
                        .containsExactly((long) i);
            }
            assertThat(store.figures().bindings()).isEqualTo(50);
        }
    }

    private static final class StepClock implements InstantSource {
        final AtomicLong nowMs = new AtomicLong(Registrations.NOW);

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(nowMs.get());
        }
    }

    /** On a file system of its own, so that no other is filled. */
    @Test
    void aFullDiskIsAnswered500AndNothingThatWasAcknowledgedIsLost() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk.toString()) == 0, "mounting needs root");
        try {
            LocationConfig config =
                    new LocationConfig(disk.resolve("location"), SyncMode.ALWAYS, 1 << 20, 10_000, 1000, null);
            int kept;
            try (MemoryLocationStore store = MemoryLocationStore.open(config, CLOCK)) {
                kept = registerUntilFull(store);
                assertThat(kept).isBetween(100, 5000);
                assertThat(Registrations.find(store, Registrations.user(kept), Registrations.NOW))
                        .as("what was refused is not kept")
                        .isEmpty();
                assertThat(store.figures().failures()).isEqualTo(1);
                assertThatThrownBy(() -> Registrations.register(store, Registrations.user(kept), 1))
                        .hasMessageContaining("UNWRITABLE");

                assertThat(run("mount", "-o", "remount,size=512k", disk.toString()))
                        .isZero();
                assertThat(Registrations.register(store, Registrations.user(kept), 1)
                                .finding())
                        .as("it goes on when there is room again")
                        .isEqualTo(RegisterFinding.UPDATED);
            }
            try (MemoryLocationStore store = MemoryLocationStore.open(config, CLOCK)) {
                assertThat(store.recovery()).isEqualTo(new LocationRecovery(kept + 1, kept + 1, 0));
            }
        } finally {
            assertThat(run("umount", disk.toString())).isZero();
        }
    }

    private static int registerUntilFull(MemoryLocationStore store) throws Exception {
        for (int i = 0; ; i++) {
            Registrations.Waited<RegisterOutcome> waited = new Registrations.Waited<>();
            AddressOfRecord user = Registrations.user(i);
            store.update(user, Registrations.change(user, 1, Registrations.contact(user), Registrations.NOW), waited);
            try {
                waited.get();
            } catch (java.util.concurrent.ExecutionException e) {
                assertThat(e).hasMessageContaining("UNWRITABLE");
                return i;
            }
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }
}
